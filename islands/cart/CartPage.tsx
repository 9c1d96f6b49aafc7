import { useSignals } from '@preact/signals-react/runtime';
import type { Preview } from '../api/types';
import { errorText, t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, toCents } from '../money';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import * as prices from '../stores/cart-prices';
import * as carts from '../stores/carts';
import { takenOff } from '../stores/preview';
import * as promotions from '../stores/promotion-cart';
import { countOf, type Line, totalOf } from '../stores/snapshot';
import { Notice } from '../ui/Notice';
import { CartContents } from './CartContents';
import { CheckOutButton, OnePromotion } from './CheckOutButton';
import { ClearCart } from './ClearCart';
import { FreightEstimate } from './FreightEstimate';
import { useTitle } from './focus';
import { GrandTotal } from './GrandTotal';
import { useCartPreview } from './preview';

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

/** Shows what the promotion takes off and gives, by the server (docs/product.md#promotions). */
function OfPromotion({ preview }: { preview: Preview }) {
  const { goods } = preview;
  const gifts = goods.filter(({ isGift }) => isGift);
  const reduced = goods.find((line) => line.discount > 0 && !line.isGift);
  return (
    <>
      {reduced && (
        <div>
          <dt>
            {t('cart.discount')} <small className="muted">{bothNames(reduced.why, reduced.whyEn).name}</small>
          </dt>
          <dd>{formatAud(-takenOff(preview))}</dd>
        </div>
      )}
      {gifts.map((gift) => (
        <div key={gift.goodsId}>
          <dt>
            {t('cart.gift', {
              name: bothNames(gift.goodsName, gift.goodsEnglishName).name,
              count: gift.goodsAmount,
            })}
          </dt>
          <dd>{formatAud(toCents(gift.lineAmount))}</dd>
        </div>
      ))}
    </>
  );
}

function Summary({ rate }: { rate: number }) {
  useSignals();
  const { preview, error, refused, isAsked } = useCartPreview();
  return (
    <aside className="panel stack cart-sum" aria-label={t('cart.summary')}>
      <div className="stack cart-sum__parts">
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
          {preview && <OfPromotion preview={preview} />}
          <FreightEstimate preview={preview} refused={refused} />
        </dl>
        {error !== null && <Notice kind="warn">{errorText(error)}</Notice>}
        <OnePromotion />
      </div>
      {/* In narrow windows it stays in sight. */}
      <div className="cart-bar">
        <dl className="totals" aria-busy={carts.saving.value}>
          <GrandTotal rate={rate} preview={preview} isAsked={isAsked} />
        </dl>
        <CheckOutButton />
      </div>
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
              {t('cart.products', { checked: carts.checkedProducts.value, count: carts.products.value })}
              {t('ui.listComma')}
              {t('cart.units', { count: carts.checkedCount.value })}
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
