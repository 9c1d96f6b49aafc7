import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useRef } from 'react';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { displayName } from '../stores/session';
import { Icon } from '../ui/Icon';

/** Welcomes a customer who has just registered; `target`: where they wanted to go. */
export function Welcome({ target }: { target: string }) {
  useSignals();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form that was submitted is gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="empty">
      <span className="plate">
        <Icon name="circle-check" />
      </span>
      <h1 ref={heading} tabIndex={-1}>
        {t('login.welcome.title', { name: displayName.value })}
      </h1>
      <p>{t('login.welcome.text')}</p>
      <div className="row row--wrap">
        <a className="btn btn--lg" href={target}>
          {t('login.welcome.goOn')}
        </a>
        <a className="btn btn--lg btn--line" href={pageUrl('/home/account/useraddress')}>
          {t('login.welcome.address')}
        </a>
      </div>
    </div>
  );
}
