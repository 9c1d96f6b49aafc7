import { useSignals } from '@preact/signals-react/runtime';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { PayResult, Recharge, RechargePage, StartedRecharge } from '../api/types';
import { t } from '../i18n';
import { leaveTo, leaving } from '../leaving';
import { formatAud, toCents } from '../money';
import { formatTime } from '../orders/dates';
import { payTypeName } from '../pay/payTypes';
import { Button } from '../ui/Button';
import { LoadFailure } from '../ui/LoadFailure';
import { show, showError } from '../ui/toast';

/** As many as a customer may begin in a day, which is as long as a gateway keeps one open. */
const MOST = 20;

interface Props {
  /** Called when one of them turned out to be paid. */
  onChange: () => void;
}

/** Shows the top-ups that are not paid yet, and leads on to where they are paid; nothing where there are none. */
export function OpenTopUps({ onChange }: Props) {
  useSignals();
  const [open, setOpen] = useState<readonly Recharge[]>([]);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState('');

  const load = useCallback(() => {
    setFailure(null);
    call<RechargePage>('GET', `/recharge?status=unpaid&size=${MOST}`).then(
      ({ list }) => setOpen(list),
      setFailure,
    );
  }, []);
  useEffect(load, [load]);

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
      load();
      onChange();
    } catch (error) {
      showError(error);
    } finally {
      setBusy('');
    }
  }

  if (failure !== null) return <LoadFailure error={failure} onRetry={load} />;
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
