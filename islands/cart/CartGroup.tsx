import { useSignals } from '@preact/signals-react/runtime';
import { type ReactNode, useRef } from 'react';
import { t } from '../i18n';
import { formatAud, formatCny } from '../money';
import * as prices from '../stores/cart-prices';
import { canBuy } from '../stores/cart-rules';
import { type Line, totalOf } from '../stores/snapshot';
import { CartLine, type LineActions } from './CartLine';

interface Props {
  title: string;
  lines: readonly Line[];
  actions: LineActions;
  /** CNY for one AUD. */
  rate: number;
  saving?: boolean;
  className?: string;
  /** Content next to the title; by default the number of checked lines. */
  aside?: ReactNode;
  /** A note about the group below its title. */
  note?: string;
  /** What its total is called. */
  totalName?: string;
}

/** Shows a group of cart lines with one checkbox for all of them and their total. */
export function CartGroup({
  title,
  lines,
  actions,
  rate,
  saving = false,
  className = '',
  aside,
  note,
  totalName,
}: Props) {
  useSignals();
  const list = useRef<HTMLUListElement>(null);
  const chosen = lines.filter((line) => line.checked && canBuy(line));
  const buyable = lines.filter(canBuy).length;
  const all = chosen.length > 0 && chosen.length === buyable;
  const total = totalOf(chosen, prices.checked.value);
  const saved = chosen.reduce((sum, line) => sum + prices.savedOn(line), 0);

  /** Moves the focus from a removed line to its neighbour. */
  const moveFocus = (index: number) => {
    const next = index + 1 < lines.length ? index + 1 : index - 1;
    list.current?.children[next]?.querySelector<HTMLElement>('.line__name')?.focus();
  };

  return (
    <section className={`group ${className}`.trim()} aria-label={title}>
      <header className="group__head">
        <label className="check">
          <input
            type="checkbox"
            ref={(box) => {
              if (box) box.indeterminate = chosen.length > 0 && !all;
            }}
            checked={all}
            disabled={buyable === 0}
            onChange={(event) => actions.checkAll(event.target.checked)}
          />
          <span>{title}</span>
        </label>
        {aside ?? (
          <span className="muted push">
            {t('cart.products', { checked: chosen.length, count: lines.length })}
          </span>
        )}
      </header>
      {note && <p className="group__note">{note}</p>}
      <ul className="f lines" ref={list}>
        {lines.map((line, index) => (
          <CartLine
            key={line.goodsId}
            line={line}
            actions={actions}
            rate={rate}
            onRemove={() => moveFocus(index)}
          />
        ))}
      </ul>
      <footer className="group__foot" aria-busy={saving}>
        {saved > 0 && <span className="group__saved">{t('cart.youSave', { amount: formatAud(saved) })}</span>}
        <span className="muted">{totalName ?? t('cart.groupTotal')}</span>
        <b>{formatAud(total)}</b>
        <span className="muted">{formatCny(total, rate)}</span>
      </footer>
    </section>
  );
}
