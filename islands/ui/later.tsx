import { type ReactElement, useCallback, useEffect, useState } from 'react';
import type { Component } from '#jsx/jsx-runtime';
import { t } from '../i18n';
import { Button } from './Button';
import { Notice } from './Notice';
import { Skeleton } from './Skeleton';

/**
 * Makes a component whose script is loaded when it is first shown, for what most customers of a page never open.
 * A failure offers to try again. `height`: that of its skeleton, a CSS length, or what gives one for its properties.
 */
export function later<P extends object>(
  load: () => Promise<Component<P>>,
  height: string | ((props: P) => string),
): (props: P) => ReactElement {
  let loaded: Component<P> | null = null;

  return function Later(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    const [failed, setFailed] = useState(false);

    const start = useCallback(async () => {
      setFailed(false);
      try {
        loaded ??= await load();
        setLoaded(() => loaded);
      } catch {
        setFailed(true);
      }
    }, []);
    useEffect(() => void start(), [start]);

    if (Loaded) return <Loaded {...props} />;
    if (!failed) return <Skeleton lines={1} height={typeof height === 'string' ? height : height(props)} />;
    return (
      <Notice
        kind="danger"
        action={
          <Button kind="quiet" size="sm" onClick={start}>
            {t('ui.tryAgain')}
          </Button>
        }
      >
        {t('errors.network')}
      </Notice>
    );
  };
}
