import { useEffect, useState } from 'react';
import { t } from '../i18n';

const LONG_WAIT_MS = 8000;

interface Props {
  busy: boolean;
  /** What is waited for, if that should be shown immediately. */
  text?: string;
}

/** Shows "still working" when `busy` has lasted 8 s (docs/ux.md#interaction). */
export function StillWorking({ busy, text = '' }: Props) {
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = setTimeout(() => setLong(true), LONG_WAIT_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [busy]);
  return (
    <p className="small muted" role="status">
      {long ? t('ui.stillWorking') : text}
    </p>
  );
}
