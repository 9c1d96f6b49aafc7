import { useSignals } from '@preact/signals-react/runtime';
import { useRef } from 'react';
import { t } from '../i18n';
import { formatAud, formatCny } from '../money';
import * as cart from '../stores/cart';
import { canBuy } from '../stores/cart-rules';
import { CartLine } from './CartLine';

/** The ordinary goods of the cart under one check for all, with their total. */
export function CartGroup({ rate }: { rate: number }) {
  useSignals();
  const list = useRef<HTMLUListElement>(null);
  const lines = cart.lines.value;
  const chosen = cart.checked.value.length;
  const buyable = lines.filter(canBuy).length;
  const all = chosen > 0 && chosen === buyable;

  /** Moves the focus from a line that goes to the one that takes its place. */
  const leave = (place: number) => {
    const next = place + 1 < lines.length ? place + 1 : place - 1;
    list.current?.children[next]?.querySelector<HTMLElement>('.line__name')?.focus();
  };

  return (
    <section className="group" aria-label={t('cart.everyday')}>
      <header className="group__head">
        <label className="check">
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = chosen > 0 && !all;
            }}
            checked={all}
            disabled={buyable === 0}
            onChange={(event) => cart.checkAll(event.target.checked)}
          />
          <span>{t('cart.everyday')}</span>
        </label>
        <span className="muted push">
          {t('cart.linesSelected', { checked: chosen, count: lines.length })}
        </span>
      </header>
      <ul className="f lines" ref={list}>
        {lines.map((line, place) => (
          <CartLine key={line.goodsId} line={line} rate={rate} onRemove={() => leave(place)} />
        ))}
      </ul>
      <footer className="group__foot" aria-busy={cart.saving.value}>
        <span className="muted">{t('cart.groupTotal')}</span>
        <b>{formatAud(cart.total.value)}</b>
        <span className="muted">{formatCny(cart.total.value, rate)}</span>
      </footer>
    </section>
  );
}
