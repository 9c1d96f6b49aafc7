import { useSignals } from '@preact/signals-react/runtime';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call, ShopError } from '../api/client';
import type { PayType } from '../api/types';
import { isPin } from '../form/pin';
import { StillWorking } from '../form/StillWorking';
import { errorText, loadTextsOf, t } from '../i18n';
import { bothNames } from '../lang';
import { leaving } from '../leaving';
import { formatAud, toCents } from '../money';
import { customer, loadCustomer } from '../stores/customer';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { later } from '../ui/later';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';
import { COLLECTED_BY_STAFF, PIN_ID, payTypeHint, payTypeName, WALLET } from './payTypes';

// In one script, since most customers need none of them.
const WalletBody = later(async () => (await loadPart()).WalletBody, '8rem');
const WalletPart = later(async () => {
  await loadTextsOf('wallet');
  return (await loadPart()).WalletPart;
}, '3.75rem');
const WalletShort = later(async () => {
  await loadTextsOf('wallet');
  return (await loadPart()).WalletShort;
}, '6rem');

async function loadPart() {
  await loadTextsOf('pin');
  return import('./WalletPart');
}

interface Props {
  /** What is to be paid, as the query of the call: only pay types that fit it are shown (docs/wire.md#paytypes). */
  purchase: string;
  /** What is left to pay, in cents. */
  amount: number;
  /** Names the button by what is paid with it, in cents, and whether staff collect that later. */
  buttonLabel: (amount: number, isCollected: boolean) => string;
  busy: boolean;
  /** Why the last attempt was refused; null before and during one. */
  error: unknown;
  /** What to do after a refusal, other than a retry. */
  nextStep?: ReactNode;
  /** What to know after any refusal, that of a wrong pay password too. */
  note?: ReactNode;
  /** The pay type chosen at first, if it is offered. */
  initial?: string;
  /** Called with what the customer has chosen, at the latest before it is paid. */
  onChoose?: (payType: PayType) => void;
  /** `walletAmount`: what comes from the wallet before the rest is paid, in cents; undefined for nothing. */
  onPay: (payType: string, password?: string, walletAmount?: number) => void;
  /** Content to the left of the button. */
  back?: ReactNode;
}

const isWrongPin = (error: unknown) =>
  error instanceof ShopError && (error.reason === 'password_wrong' || 'password' in error.fields);

const radioId = ({ payType }: PayType) => `pay-by-${payType}`;

/** Lets the customer choose a pay type and enter the pay password if needed, and starts the payment. */
export function PayChoice({
  purchase,
  amount,
  buttonLabel,
  busy: starting,
  error,
  nextStep,
  note,
  initial,
  onChoose,
  onPay,
  back,
}: Props) {
  useSignals();
  const busy = starting || leaving.value;
  const [payTypes, setPayTypes] = useState<PayType[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [chosen, setChosen] = useState(initial);
  const [pin, setPin] = useState('');
  const [pinError, setPinError] = useState('');
  const [usesPart, setUsesPart] = useState(false);

  const load = useCallback(() => {
    setFailure(null);
    call<PayType[]>('GET', `/pc/payTypes?${purchase}`).then(setPayTypes, setFailure);
  }, [purchase]);
  useEffect(load, [load]);
  useEffect(() => {
    // What was chosen has been switched off in the meantime, or does not fit.
    if (error instanceof ShopError && ('payType' in error.fields || 'walletAmount' in error.fields)) load();
  }, [error, load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a refusal may come after a part was taken
  useEffect(() => {
    // Without it the wallet shows no balance; paying shows the error.
    loadCustomer().catch(console.warn);
  }, [error]);
  useEffect(() => {
    // The wallet may have been topped up in another tab.
    const refresh = () => {
      if (document.visibilityState === 'visible') loadCustomer().catch(console.warn);
    };
    document.addEventListener('visibilitychange', refresh);
    return () => document.removeEventListener('visibilitychange', refresh);
  }, []);
  useEffect(() => {
    if (!isWrongPin(error)) return;
    setPin('');
    setPinError(errorText(error));
    document.getElementById(PIN_ID)?.focus();
  }, [error]);

  if (failure) {
    return <LoadFailure error={failure} onRetry={load} />;
  }
  if (!payTypes) return <Skeleton lines={4} />;

  const current = payTypes.find((row) => row.payType === chosen) ?? payTypes[0];
  const has = customer.value ? toCents(customer.value.balance) : 0;
  const wallet = payTypes.find(({ payType }) => payType === WALLET);
  // A wallet with enough for all is a choice of its own.
  const offersPart = current && wallet && current !== wallet && has > 0 && has < amount;
  const part = offersPart && usesPart ? has : 0;
  const isCollected = COLLECTED_BY_STAFF.has(current?.payType ?? '');
  const missing = customer.value ? Math.max(0, amount - has) : 0;
  const isShort = current?.payType === WALLET && missing > 0;
  const needsPin = (current?.payType === WALLET && !isShort) || part > 0;
  // What pays the rest of a part: immediately, where that is offered.
  const others = payTypes.filter(({ payType }) => payType !== WALLET);
  const other = others.find(({ payType }) => !COLLECTED_BY_STAFF.has(payType)) ?? others[0];
  function pay() {
    if (busy || !current) return;
    onChoose?.(current);
    if (!needsPin) return onPay(current.payType);
    if (isPin(pin)) return onPay(current.payType, pin, part || undefined);
    setPinError(t('pay.error.sixDigits'));
    document.getElementById(PIN_ID)?.focus();
  }
  function choose(payType: PayType) {
    setChosen(payType.payType);
    setPinError('');
    onChoose?.(payType);
  }
  function payPart(payType: PayType) {
    choose(payType);
    setUsesPart(true);
    document.getElementById(radioId(payType))?.focus();
  }
  // An empty line is reserved for it, so that nothing moves when it loads.
  const balance = customer.value
    ? t(missing ? 'pay.short' : 'pay.balance', { amount: formatAud(has), missing: formatAud(missing) })
    : '\u00a0';
  const mustSetPin = needsPin && customer.value?.hasPayPassword === false;
  function whyNot(): string {
    if (!current) return t('pay.none');
    if (isShort) return balance;
    return mustSetPin ? t('pay.setPasswordFirst') : '';
  }
  const pinField = {
    pin,
    error: pinError,
    onPin: (text: string) => {
      setPin(text);
      setPinError('');
    },
    onSubmit: pay,
  };

  return (
    <>
      <fieldset className="stack pay">
        <legend className="vh">{t('pay.method')}</legend>
        {payTypes.map((offered) => {
          const { payType, img } = offered;
          const hint = payType === WALLET ? balance : payTypeHint(offered);
          const warning = bothNames(offered.payWarning, offered.payWarningEn).name;
          const isChosen = payType === current?.payType;
          return (
            <div className="option" key={payType}>
              <label className="check">
                <input
                  type="radio"
                  name="payType"
                  id={radioId(offered)}
                  checked={isChosen}
                  onChange={() => choose(offered)}
                />
                <span className="vh">{payTypeName(offered)}</span>
              </label>
              <span>
                <b>{payTypeName(offered)}</b>
                {hint && <small className="num">{hint}</small>}
                {isChosen && warning && <small className="stock--advance">{warning}</small>}
              </span>
              <span className="mark">
                <img src={img} alt="" height="32" />
              </span>
              {payType === WALLET && isChosen && !isShort && <WalletBody {...pinField} />}
              {payType === WALLET && isChosen && isShort && (
                <WalletShort
                  balance={has}
                  missing={missing}
                  restBy={other ? payTypeName(other) : ''}
                  onPart={() => other && payPart(other)}
                />
              )}
            </div>
          );
        })}
      </fieldset>
      {offersPart && (
        <WalletPart
          {...pinField}
          amount={amount}
          balance={has}
          restBy={payTypeName(current)}
          isUsed={part > 0}
          onUse={setUsesPart}
        />
      )}
      {error !== null && !isWrongPin(error) && (
        <Notice kind="danger" action={nextStep}>
          {errorText(error)}
        </Notice>
      )}
      {note}
      <div className="actions">
        {back ?? <span />}
        <Button size="lg" busy={busy} reason={whyNot()} onClick={pay}>
          <Icon name="lock" />
          {buttonLabel(amount - part, isCollected)}
        </Button>
      </div>
      <StillWorking busy={busy} text={leaving.value ? t('pay.leaving') : ''} />
    </>
  );
}
