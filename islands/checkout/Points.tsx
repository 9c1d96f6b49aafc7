import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import { errorText, t } from '../i18n';
import { formatAud } from '../money';
import * as checkout from '../stores/checkout';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';

const POINTS_ID = 'points';

interface Props {
  /** How many points pay a dollar. */
  pointsPerDollar: number;
}

/** Lets points pay, all that can at first, or shows how many do (docs/product.md#points). */
export function Points({ pointsPerDollar }: Props) {
  useSignals();
  const { points, orderNo, summary } = checkout.draft.value;
  const usable = summary?.pointsUsable ?? 0;
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(usable);
  const error = checkout.pointsError.value;
  const busy = checkout.summing.value;

  const worth = (count: number) => formatAud(Math.floor((count * 100) / pointsPerDollar));

  // What is pressed goes with its form, so the focus moves to what comes in its place.
  const moves = useRef(false);
  const takeFocus = useCallback((element: HTMLElement | null) => {
    if (!element || !moves.current) return;
    moves.current = false;
    element.focus();
  }, []);

  async function apply(event: FormEvent) {
    event.preventDefault();
    const wanted = Number(text);
    if (busy || !(wanted > 0)) return;
    moves.current = true;
    await checkout.applyPoints(wanted);
    setTyped(null);
    if (!checkout.pointsError.value) return;
    moves.current = false;
    document.getElementById(POINTS_ID)?.focus();
  }

  function remove() {
    moves.current = true;
    void checkout.applyPoints(0);
  }

  if (points && !busy) {
    return (
      <p className="row small" role="status">
        {t('points.used', { points: points.toLocaleString('en-AU'), count: points, amount: worth(points) })}
        {!orderNo && (
          <button type="button" className="link push" ref={takeFocus} onClick={remove}>
            {t('checkout.removeVoucher')}
          </button>
        )}
      </p>
    );
  }
  if (orderNo || (usable === 0 && !points && !error)) return null;
  return (
    <form onSubmit={apply}>
      <Field
        id={POINTS_ID}
        label={t('points.use')}
        hint={t('points.usable', { points: usable.toLocaleString('en-AU'), amount: worth(usable) })}
        error={error ? errorText(error) : undefined}
      >
        {(control) => (
          <div className="code-row">
            <input
              {...control}
              ref={takeFocus}
              className="input"
              inputMode="numeric"
              pattern="[0-9]*"
              autoComplete="off"
              value={text}
              onChange={(event) => setTyped(event.target.value)}
            />
            <Button kind="line" type="submit" busy={busy && points > 0}>
              {t('points.apply')}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
