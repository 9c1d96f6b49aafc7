import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { call } from '../api/client';
import type { PayResult, Recharge, StartedRecharge } from '../api/types';
import { t } from '../i18n';
import { leaveTo, leaving } from '../leaving';
import { formatAud, toCents } from '../money';
import { formatTime } from '../orders/dates';
import { payTypeName } from '../pay/payTypes';
import { Button } from '../ui/Button';
import { LoadFailure } from '../ui/LoadFailure';
import { show, showError } from '../ui/toast';

interface Props {
  /** The top-ups that are not paid yet. */
  open: readonly Recharge[];
  /** What the call for them was refused with; null where it was not. */
  failure: unknown;
  onRetry: () => void;
  /** Called when one of them turned out to be paid, or to have ended. */
  onChange: () => void;
}

/** Shows the top-ups that are not paid yet, with links to where they are paid; nothing where there are none.
 */
export function OpenTopUps({ open, failure, onRetry, onChange }: Props) {
  useSignals();
  const [busy, setBusy] = useState('');

  async function goOn({ rechargeNo, amount }: Recharge) {
    if (busy || leaving.value) return;
    setBusy(rechargeNo);
    try {
      const path = encodeURIComponent(rechargeNo);
      const { jumpUrl } = await call<StartedRecharge>('PUT', `/recharge/continue/${path}`);
      if (jumpUrl) return leaveTo(jumpUrl);
      const { paid } = await call<PayResult>('GET', `/pc/pay/result/${path}`);
      if (paid) show('ok', t('wallet.received', { amount: formatAud(toCents(amount)) }));
      else show('warn', t('wallet.ended'));
      onChange();
    } catch (error) {
      showError(error);
    } finally {
      setBusy('');
    }
  }

  if (failure !== null) return <LoadFailure error={failure} onRetry={onRetry} />;
  if (open.length === 0) return null;
  return (
    <section className="panel stack" aria-labelledby="open-title">
      <h2 id="open-title">{t('wallet.open')}</h2>
      <p className="small soft">{t('wallet.openText')}</p>
      <ul className="stack">
        {open.map((topUp) => (
          <li className="row row--wrap" key={topUp.rechargeNo}>
            <span>
              <b className="num">{formatAud(toCents(topUp.amount))}</b> · {payTypeName(topUp)}
              <br />
              <small className="muted">
                <time dateTime={topUp.createTime}>{formatTime(topUp.createTime)}</time>
              </small>
            </span>
            <span className="push">
              <Button
                kind="line"
                size="sm"
                busy={busy === topUp.rechargeNo || leaving.value}
                aria-label={t('wallet.continueOf', { number: topUp.rechargeNo })}
                onClick={() => void goOn(topUp)}
              >
                {t('wallet.continue')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
