import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { formatAud, formatCny, toCents } from '../money';
import * as prices from '../stores/cart-prices';
import * as promotions from '../stores/promotion-cart';
import { savesTogether } from '../stores/snapshot';
import type { CartPreview } from './preview';

interface Props extends Pick<CartPreview, 'preview' | 'isAsked'> {
  /** CNY for one AUD. */
  rate: number;
}

/** Shows what the checked lines cost, with their freight once it is known, in the cart and in its drawer. */
export function GrandTotal({ preview, isAsked, rate }: Props) {
  useSignals();
  const freight = preview?.freight ?? null;
  const goods = preview && !isAsked ? toCents(preview.orderAmount) : prices.total.value;
  const total = goods + toCents(freight ?? 0);
  // What a promotion takes off is known to the server alone.
  const isUnknown = isAsked && promotions.chosen.value.some(savesTogether);
  // No order has the sum of several promotions.
  const isNone = promotions.chosen.value.length > 1;
  return (
    <div className="grand">
      <dt>
        {t(freight === null ? 'cart.goodsTotal' : 'cart.total')}{' '}
        <small className="muted">{t(freight === null ? 'cart.beforeFreight' : 'cart.withFreight')}</small>
      </dt>
      <dd aria-busy={isAsked}>
        {isUnknown || isNone ? (
          <span className="muted">{isNone ? '—' : t('cart.addingUp')}</span>
        ) : (
          <>
            {formatAud(total)}
            <small>{formatCny(total, rate)}</small>
          </>
        )}
      </dd>
    </div>
  );
}
