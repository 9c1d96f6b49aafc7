import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { call, ShopError } from '../api/client';
import type { PayType, StartedRecharge } from '../api/types';
import { ErrorSummary, errorOf } from '../form/ErrorSummary';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { leaveTo, leaving } from '../leaving';
import { formatAud } from '../money';
import { payTypeName } from '../pay/payTypes';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';
import { MIN_CENTS, readAmount } from './amount';

/** The pay types that put money into the wallet (docs/wire.md#recharge). */
const WAYS: ReadonlySet<string> = new Set(['5', '2', '4', 'Paypal']);
const USUAL_CENTS: readonly number[] = [2000, 5000, 10_000, 20_000];
const AMOUNT_ID = 'top-up-amount';

interface Props {
  /** In cents. */
  most: number;
}

/** Puts money into the wallet: asks how much and by which way, and goes to where that is paid. */
export function TopUp({ most }: Props) {
  useSignals();
  const [ways, setWays] = useState<PayType[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const [starting, setStarting] = useState(false);
  const { errors, setErrors, onChange, drop } = useErrors();
  const busy = starting || leaving.value;

  const load = useCallback(() => {
    setFailure(null);
    call<PayType[]>('GET', '/pc/payTypes').then(
      (offered) => setWays(offered.filter(({ payType }) => WAYS.has(payType))),
      setFailure,
    );
  }, []);
  useEffect(load, [load]);

  const range = { least: formatAud(MIN_CENTS), most: formatAud(most) };
  const cents = readAmount(text);
  const isInRange = cents !== null && cents >= MIN_CENTS && cents <= most;
  const way = ways?.find(({ payType }) => payType === chosen) ?? ways?.[0];

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy || !way) return;
    if (cents === null || !isInRange) {
      const error = cents === null ? t('wallet.error.amount') : t('wallet.error.range', range);
      return setErrors([{ id: AMOUNT_ID, text: error }]);
    }
    setErrors([]);
    setStarting(true);
    try {
      const body = { payType: way.payType, rechargeAmount: cents / 100, source: 'web' };
      const { jumpUrl } = await call<StartedRecharge>('POST', '/recharge', body);
      if (jumpUrl) leaveTo(jumpUrl);
    } catch (error) {
      const range_ = t('wallet.error.range', range);
      setErrors(serverErrors(error, { rechargeAmount: AMOUNT_ID }, { rechargeAmount: range_ }));
      // What it is paid by may have been switched off in the meantime.
      if (error instanceof ShopError && 'payType' in error.fields) load();
    }
    setStarting(false);
  }

  return (
    <section className="panel stack" aria-labelledby="top-up-title">
      <h2 id="top-up-title">{t('wallet.topUp')}</h2>
      <p className="soft">{t('wallet.topUpText')}</p>
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {!ways && failure === null && <Skeleton lines={2} height="6rem" />}
      {ways?.length === 0 && <Notice>{t('wallet.noMethod')}</Notice>}
      {ways && way && (
        <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
          <ErrorSummary errors={errors} />
          <fieldset className="chips">
            <legend className="vh">{t('wallet.amounts')}</legend>
            {USUAL_CENTS.filter((usual) => usual <= most).map((usual) => (
              <button
                key={usual}
                type="button"
                className={usual === cents ? 'chip active' : 'chip'}
                aria-pressed={usual === cents}
                onClick={() => {
                  setText(String(usual / 100));
                  drop(AMOUNT_ID);
                }}
              >
                {formatAud(usual)}
              </button>
            ))}
          </fieldset>
          <InputField
            id={AMOUNT_ID}
            label={t('wallet.amount')}
            hint={t('wallet.amountHint', range)}
            error={errorOf(errors, AMOUNT_ID)}
            inputMode="decimal"
            autoComplete="off"
            maxLength={14}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <fieldset className="stack pay">
            <legend className="label">{t('wallet.method')}</legend>
            {ways.map((offered) => (
              <div className="option" key={offered.payType}>
                <label className="check">
                  <input
                    type="radio"
                    name="topUpBy"
                    checked={offered.payType === way.payType}
                    onChange={() => setChosen(offered.payType)}
                  />
                  <span className="vh">{payTypeName(offered)}</span>
                </label>
                <b>{payTypeName(offered)}</b>
                <span className="mark">
                  <img src={offered.img} alt="" width="32" height="32" />
                </span>
              </div>
            ))}
          </fieldset>
          <div>
            <Button type="submit" size="lg" busy={busy}>
              <Icon name="lock" />
              {isInRange ? t('wallet.pay', { amount: formatAud(cents) }) : t('wallet.payAny')}
            </Button>
          </div>
          <StillWorking busy={busy} />
        </form>
      )}
    </section>
  );
}
