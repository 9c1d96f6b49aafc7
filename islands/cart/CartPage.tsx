import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, formatCny } from '../money';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import * as prices from '../stores/cart-prices';
import * as carts from '../stores/carts';
import * as promotions from '../stores/promotion-cart';
import { countOf, type Line, totalOf } from '../stores/snapshot';
import { CartContents } from './CartContents';
import { CheckOutButton } from './CheckOutButton';
import { ClearCart } from './ClearCart';
import { FreightEstimate } from './FreightEstimate';
import { useTitle } from './focus';

function Part({ name, lines }: { name: string; lines: Line[] }) {
  useSignals();
  if (lines.length === 0) return null;
  return (
    <div>
      <dt>{t('cart.part', { name, count: countOf(lines) })}</dt>
      <dd>{formatAud(totalOf(lines, prices.checked.value))}</dd>
    </div>
  );
}

function Summary({ rate }: { rate: number }) {
  useSignals();
  const total = prices.total.value;
  return (
    <aside className="panel stack" aria-label={t('cart.summary')}>
      <h2>{t('cart.summary')}</h2>
      <dl className="totals" aria-busy={carts.saving.value}>
        {promotions.chosen.value.map((group) => (
          <Part
            key={group.goodsActionTypeId}
            name={bothNames(group.goodsActionTypeName, group.goodsActionTypeNameEn).name}
            lines={promotions.checkedOf(group)}
          />
        ))}
        <Part name={t('cart.everyday')} lines={cart.checked.value} />
        <Part name={t('bulk.title')} lines={bulk.checked.value} />
        <FreightEstimate />
        <div className="grand">
          <dt>
            {t('cart.total')} <small className="muted">{t('cart.beforeFreight')}</small>
          </dt>
          <dd>
            {formatAud(total)}
            <small>{formatCny(total, rate)}</small>
          </dd>
        </div>
      </dl>
      <CheckOutButton />
    </aside>
  );
}

export interface CartProps {
  /** CNY for one AUD. */
  rate: number;
}

/** Shows the cart page, /home/cart, below the header. */
export function CartPage({ rate }: CartProps) {
  useSignals();
  const isEmpty = carts.isEmpty.value;
  const title = useTitle(isEmpty);
  return (
    <>
      <div className="pagehead">
        <h1 {...title}>{t('cart.title')}</h1>
        {!isEmpty && (
          <>
            <p className="muted">
              {t('cart.selected', { checked: carts.checkedCount.value, count: carts.count.value })}
            </p>
            <ClearCart />
          </>
        )}
      </div>
      {isEmpty ? (
        <div className="stack">
          <CartContents rate={rate} />
        </div>
      ) : (
        <div className="twocol">
          <div className="stack">
            <CartContents rate={rate} />
          </div>
          <Summary rate={rate} />
        </div>
      )}
    </>
  );
}
