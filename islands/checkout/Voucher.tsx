import { useSignals } from '@preact/signals-react/runtime';
import { type FocusEvent, type FormEvent, useCallback, useRef, useState } from 'react';
import { errorText, t } from '../i18n';
import * as checkout from '../stores/checkout';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';

const VOUCHER_ID = 'voucher';

/** Takes a voucher's code, or shows the one that is used (docs/product.md#vouchers). */
export function Voucher() {
  useSignals();
  const [code, setCode] = useState('');
  const { voucherCode, orderNo } = checkout.draft.value;
  const error = checkout.voucherError.value;
  /** True while the code is tried; sums without it need not be awaited. */
  const busy = checkout.summing.value && voucherCode !== '';

  // What is pressed goes with its form, so the focus moves to what comes in its place.
  const moves = useRef(false);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    if (!element || !moves.current) return;
    moves.current = false;
    element.focus();
  }, []);

  async function apply(takesFocus: boolean) {
    if (busy || code.trim() === '') return;
    moves.current = takesFocus;
    await checkout.applyVoucher(code);
    if (!checkout.voucherError.value) return setCode('');
    moves.current = false;
    if (takesFocus) document.getElementById(VOUCHER_ID)?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void apply(true);
  }

  /** Uses what was typed, so that a customer without its button does not go on to pay the full price. */
  function leave({ currentTarget, relatedTarget }: FocusEvent<HTMLInputElement>) {
    if (!error && !currentTarget.form?.contains(relatedTarget)) void apply(false);
  }

  function remove() {
    moves.current = true;
    void checkout.applyVoucher('');
  }

  if (voucherCode && !busy) {
    return (
      <p className="row small" role="status">
        {t('checkout.voucherUsed', { code: voucherCode.toUpperCase() })}
        {!orderNo && (
          <button type="button" className="link push" ref={takeFocus} onClick={remove}>
            {t('checkout.removeVoucher')}
          </button>
        )}
      </p>
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
    </form>
  );
}
