import { useState } from 'react';
import { call } from '../api/client';
import type { Consent } from '../api/types';
import { type TextKey, t } from '../i18n';
import { formatTime } from '../orders/dates';
import { Icon } from '../ui/Icon';
import { show, showError } from '../ui/toast';

const SOURCES: Readonly<Record<string, TextKey>> = {
  account: 'privacy.consent.source.account',
  registration: 'privacy.consent.source.registration',
  link: 'privacy.consent.source.link',
  staff: 'privacy.consent.source.staff',
};

interface Props {
  consent: Consent;
  onChange: (consent: Consent) => void;
}

/** Lets the customer agree to news and offers or end that, and shows when it changed. */
export function ConsentPanel({ consent: { marketing, changes }, onChange }: Props) {
  // What was chosen and is being saved; null while nothing is.
  const [chosen, setChosen] = useState<boolean | null>(null);

  async function choose(agrees: boolean) {
    if (chosen !== null) return;
    setChosen(agrees);
    try {
      onChange(await call<Consent>('PUT', '/pc/setting/consent', { marketing: agrees }));
      show('ok', t(agrees ? 'privacy.consent.given' : 'privacy.consent.ended'));
    } catch (error) {
      showError(error);
    }
    setChosen(null);
  }

  return (
    <section className="panel stack" aria-labelledby="consent-title">
      <h2 id="consent-title">{t('privacy.consent.title')}</h2>
      <p className="soft">{t('privacy.consent.text')}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={chosen ?? marketing}
          aria-busy={chosen !== null || undefined}
          onChange={(event) => void choose(event.target.checked)}
        />
        {t('privacy.consent.box')}
      </label>
      {changes.length > 0 && (
        <details className="parcels">
          <summary>
            {t('privacy.consent.history')}
            <Icon name="chevron-down" />
          </summary>
          <ul className="f">
            {changes.map(({ time, marketing: agrees, source }) => (
              <li key={time}>
                <span>
                  {t(agrees ? 'privacy.consent.yes' : 'privacy.consent.no')}
                  {SOURCES[source] && ` · ${t(SOURCES[source])}`}
                </span>
                <time dateTime={time}>{formatTime(time)}</time>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
