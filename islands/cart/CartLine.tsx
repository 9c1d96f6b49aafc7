import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { bothNames, goodsUrl } from '../lang';
import { formatAud, formatCny, formatShort, toCents } from '../money';
import * as cart from '../stores/cart';
import { canBuy, most } from '../stores/cart-rules';
import { Icon } from '../ui/Icon';
import { Stepper } from '../ui/Stepper';
import { formatWeight } from './weight';

/** Says what stands under a line: the store's message, or what its own numbers tell. */
function messageOf(line: cart.Line, stored: string | undefined): string {
  if (stored) return stored;
  if (!line.available) return t('cart.unavailable');
  if (line.goodsStockAmount === 0) return t('cart.soldOut');
  const limit = most(line);
  if (line.goodsAmount < limit) return '';
  return line.isAdvance === '1'
    ? t('cart.advanceMost', { count: limit })
    : t('cart.stockMost', { count: limit });
}

interface Props {
  line: cart.Line;
  /** CNY for one AUD. */
  rate: number;
  /** Called before the line goes, so that the focus can move on. */
  onRemove: () => void;
}

/** One goods in the cart, with its check, amount and sum. */
export function CartLine({ line, rate, onRemove }: Props) {
  useSignals();
  const { name } = bothNames(line.goodsName, line.goodsEnglishName);
  const price = toCents(line.memberPrice);
  const sum = price * line.goodsAmount;
  const message = messageOf(line, cart.messages.value[line.goodsId]);
  const step = (delta: 1 | -1) => {
    if (line.goodsAmount + delta < line.minAmount) onRemove();
    cart.change(line.goodsId, delta);
  };
  return (
    <li className={canBuy(line) ? 'line' : 'line line--off'}>
      <label className="check">
        <input
          type="checkbox"
          checked={line.checked}
          disabled={!canBuy(line)}
          onChange={(event) => cart.check(line.goodsId, event.target.checked)}
        />
        <span className="vh">{t('cart.select', { name })}</span>
      </label>
      <span className="tile tile--sm">
        {line.goodsImgUrl && <img src={line.goodsImgUrl} alt="" width="256" height="256" decoding="async" />}
      </span>
      <div className="line__main">
        <a className="line__name" href={goodsUrl(line.goodsId)}>
          {name}
        </a>
        <p className="line__meta num">
          {[formatWeight(line.netWeight), formatShort(price)].filter(Boolean).join(' · ')}
        </p>
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
                cart.remove(line.goodsId);
              }}
            >
              <Icon name="trash-2" />
            </button>
          )}
          {canBuy(line) && (
            <Stepper
              name={name}
              amount={line.goodsAmount}
              least={line.minAmount}
              most={most(line)}
              small
              onStep={step}
            />
          )}
        </div>
      </div>
      {message && (
        <p className="line__msg">
          <Icon name="triangle-alert" />
          {message}
        </p>
      )}
    </li>
  );
}
