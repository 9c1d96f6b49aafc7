import { useSignals } from '@preact/signals-react/runtime';
import { Fragment } from 'react';
import { dateText } from '../arrival/words';
import { t } from '../i18n';
import { bothNames, productUrl } from '../lang';
import { formatAud, formatCny, toCents } from '../money';
import { priceInOrder, savedOn } from '../stores/cart-prices';
import { atMost, canBuy, maxAmount } from '../stores/cart-rules';
import type { Line } from '../stores/snapshot';
import { Icon } from '../ui/Icon';
import { ProductPicture } from '../ui/ProductPicture';
import { Stepper } from '../ui/Stepper';
import { packOf, unitPriceOf } from './unit-price';

/** The actions on the lines of a group. */
export interface LineActions {
  change: (goodsId: number, delta: number) => void;
  check: (goodsId: number, on: boolean) => void;
  checkAll: (on: boolean) => void;
  /** The message under a line: why its amount was limited or could not be saved. */
  messageOf: (goodsId: number) => string | undefined;
  /** What more units of a line would bring. */
  hintOf?: (line: Line) => string;
}

/** Gives the message under a line: the store's, or one that follows from its numbers. */
function messageOf(line: Line, stored: string | undefined): string {
  if (stored) return stored;
  if (!line.available) return t('cart.unavailable');
  if (line.goodsStockAmount === 0) return t('cart.soldOut');
  return line.goodsAmount < maxAmount(line) ? '' : atMost(line);
}

/** Writes a line's amount in cartons; empty where it is not bought by the carton. */
function cartonsOf({ goodsAmount, cartonSize }: Line): string {
  return cartonSize > 1 ? t('bulk.cartons', { count: goodsAmount / cartonSize, size: cartonSize }) : '';
}

interface Props {
  line: Line;
  actions: LineActions;
  /** CNY for one AUD. */
  rate: number;
  /** Called before the line is removed, so that the focus can move. */
  onRemove: () => void;
}

/** Shows one product in the cart with its checkbox, amount and sum. */
export function CartLine({ line, actions, rate, onRemove }: Props) {
  useSignals();
  const { name } = bothNames(line.goodsName, line.goodsEnglishName);
  const price = priceInOrder(line);
  const sum = price * line.goodsAmount;
  const unitPrice = unitPriceOf(line, price);
  // The price of one is its unit price then, and is shown once.
  const isOfOne = unitPrice === t('unitPrice.each', { price: formatAud(price) });
  const message = messageOf(line, actions.messageOf(line.goodsId));
  const hint = actions.hintOf?.(line);
  const step = (direction: 1 | -1) => {
    const delta = direction * line.cartonSize;
    if (line.goodsAmount + delta < line.minAmount) onRemove();
    actions.change(line.goodsId, delta);
  };
  return (
    <li className={canBuy(line) ? 'line' : 'line line--off'}>
      <label className="check">
        <input
          type="checkbox"
          checked={line.checked}
          disabled={!canBuy(line)}
          onChange={(event) => actions.check(line.goodsId, event.target.checked)}
        />
        <span className="vh">{t('cart.select', { name })}</span>
      </label>
      <ProductPicture product={line} />
      <div className="line__main">
        <a className="line__name" href={productUrl(line.goodsId)}>
          {name}
        </a>
        <p className="line__meta num">
          {packOf(line)} · {isOfOne ? unitPrice : formatAud(price)}
          {savedOn(line) > 0 && (
            <>
              {' '}
              <s>
                <span className="vh">{t('cart.was')} </span>
                {formatAud(toCents(line.wasPrice ?? 0))}
              </s>
            </>
          )}
          {[isOfOne ? '' : unitPrice, cartonsOf(line)].filter(Boolean).map((text) => (
            <Fragment key={text}>
              {' · '}
              <span className="nowrap">{text}</span>
            </Fragment>
          ))}
        </p>
        {line.expectedDate && (
          <p className="line__meta">{t('cart.expected', { day: dateText(line.expectedDate) })}</p>
        )}
      </div>
      <div className="line__side">
        <p className="line__sum">
          {formatAud(sum)}
          <small>{formatCny(sum, rate)}</small>
        </p>
        <div className="line__qty">
          {(line.goodsAmount > line.minAmount || !canBuy(line)) && (
            <button
              type="button"
              className="iconbtn iconbtn--sm"
              aria-label={t('cart.remove', { name })}
              onClick={() => {
                onRemove();
                actions.change(line.goodsId, -line.goodsAmount);
              }}
            >
              <Icon name="trash-2" />
            </button>
          )}
          {canBuy(line) && (
            <Stepper
              name={name}
              amount={line.goodsAmount}
              minimum={line.minAmount}
              maximum={maxAmount(line)}
              small
              onStep={step}
            />
          )}
        </div>
      </div>
      {hint && <p className="line__hint">{hint}</p>}
      {message && (
        <p className="line__msg">
          <Icon name="triangle-alert" />
          {message}
        </p>
      )}
    </li>
  );
}
