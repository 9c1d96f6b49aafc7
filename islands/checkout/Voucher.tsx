import { useSignals } from '@preact/signals-react/runtime';
import { type FocusEvent, type FormEvent, useCallback, useRef, useState } from 'react';
import { errorText, t } from '../i18n';
import { formatAud, toCents } from '../money';
import * as checkout from '../stores/checkout';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';

const VOUCHER_ID = 'voucher';

/** Both ways to pay, in cents. */
interface Dearer {
  amount: number;
  without: number;
}

/** Gives both amounts if the order costs more with its voucher, for example because delivery is not free. */
function dearer(): Dearer | null {
  const amount = checkout.grandTotal.value;
  const other = checkout.draft.value.summary?.withoutVoucher;
  if (amount === null || !other) return null;
  const without = toCents(other.payAmount);
  return amount > without ? { amount, without } : null;
}

const dearerText = ({ amount, without }: Dearer) =>
  t('checkout.voucherDearer', { amount: formatAud(amount), without: formatAud(without) });

/** Takes a voucher's code, or shows the one that is used (docs/product.md#vouchers). */
export function Voucher() {
  useSignals();
  const [code, setCode] = useState('');
  const [trying, setTrying] = useState(false);
  const [asked, setAsked] = useState<Dearer | null>(null);
  const { voucherCode, orderNo } = checkout.draft.value;
  const error = checkout.voucherError.value;
  /** True while the code is tried; sums without it need not be awaited. */
  const busy = trying || (checkout.summing.value && voucherCode !== '');

  // What is pressed goes with its form, so the focus moves to what comes in its place.
  const moves = useRef(false);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    if (!element || !moves.current) return;
    moves.current = false;
    element.focus();
  }, []);

  /** Uses the code that was typed; one that makes the order dearer only `anyway`. */
  async function apply(takesFocus: boolean, anyway = false) {
    if (busy || code.trim() === '') return;
    moves.current = takesFocus;
    setTrying(true);
    await checkout.applyVoucher(code);
    const more = anyway || checkout.voucherError.value ? null : dearer();
    if (more) await checkout.applyVoucher('');
    setAsked(more);
    setTrying(false);
    if (!more && !checkout.voucherError.value) return setCode('');
    moves.current = false;
    if (takesFocus) document.getElementById(VOUCHER_ID)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void apply(true);
  }

  /** Uses what was typed, so that a customer without its button does not go on to pay the full price. */
  function leave({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) {
    if (!error && !asked && !currentTarget.form?.contains(relatedTarget)) void apply(false);
  }

  function remove() {
    moves.current = true;
    void checkout.applyVoucher('');
  }

  if (voucherCode && !busy) {
    const more = dearer();
    return (
      <div className="small" role="status">
        <p className="row">
          {t('checkout.voucherUsed', { code: voucherCode.toUpperCase() })}
          {!orderNo && (
            <button type="button" className="link push" ref={takeFocus} onClick={remove}>
              {t('checkout.removeVoucher')}
            </button>
          )}
        </p>
        {more && !orderNo && <p>{dearerText(more)}</p>}
      </div>
    );
  }
  if (orderNo) return null;
  return (
    <form onSubmit={submit}>
      <Field id={VOUCHER_ID} label={t('checkout.voucher')} error={error ? errorText(error) : undefined}>
        {(control) => (
          <div className="code-row">
            <input
              {...control}
              ref={takeFocus}
              className="input"
              autoComplete="off"
              value={code}
              onChange={(event) => {
                setCode(event.target.value);
                setAsked(null);
                checkout.voucherError.value = null;
              }}
              onBlur={leave}
            />
            <Button kind="line" type="submit" busy={busy}>
              {t('checkout.applyVoucher')}
            </Button>
          </div>
        )}
      </Field>
      {asked && (
        <p className="small" role="status">
          {dearerText(asked)}{' '}
          <button type="button" className="link" onClick={() => void apply(true, true)}>
            {t('checkout.voucherAnyway')}
          </button>
        </p>
      )}
    </form>
  );
}
