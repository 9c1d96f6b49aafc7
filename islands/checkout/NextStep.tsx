import { useSignals } from '@preact/signals-react/runtime';
import { useEffect } from 'react';
import { ShopError } from '../api/client';
import { t } from '../i18n';
import * as checkout from '../stores/checkout';
import { announce } from '../ui/announce';
import { Notice } from '../ui/Notice';
import { cartUrl, deliveryUrl, ordersUrl, orderUrl } from './urls';

/** Where the customer can fix the cause of a refusal. */
const FIXED_AT: Readonly<Record<string, 'cart' | 'delivery' | 'orders'>> = {
  stock_insufficient: 'cart',
  not_exported: 'cart',
  export_limit: 'cart',
  goods_off_shelf: 'cart',
  goods_error: 'cart',
  amount_above_limit: 'cart',
  amount_below_one: 'cart',
  one_activity_only: 'cart',
  mixed_settlement: 'cart',
  address_error: 'delivery',
  choose_consignee: 'delivery',
  choose_delivery: 'delivery',
  delivery_type: 'delivery',
  order_exists: 'orders',
  order_cancelled: 'orders',
  order_not_found: 'orders',
  one_long_hold: 'orders',
  one_unpaid_place: 'orders',
  too_many_unpaid: 'orders',
  too_many_unpaid_today: 'orders',
};

/** What was offered as it was chosen, and is gone now. */
const CHOSEN_AT_DELIVERY = ['deliverySlot', 'terminalDateTime', 'shopId'];

function fixedAt({ during, error }: checkout.CheckoutFailure): 'cart' | 'delivery' | 'orders' | undefined {
  if (!(error instanceof ShopError)) return undefined;
  // While the order is placed an expired transactionCode is replaced; afterwards the order has expired.
  if (during === 'pay' && error.reason === 'order_timeout') return 'orders';
  if (CHOSEN_AT_DELIVERY.some((field) => field in error.fields)) return 'delivery';
  return error.fields.actionTypeId ? 'cart' : FIXED_AT[error.reason];
}

/** Links to where a refusal can be fixed, if a retry would not help. */
export function NextStep() {
  useSignals();
  const page = checkout.failure.value && fixedAt(checkout.failure.value);
  if (!page) return null;
  const isPickup = checkout.draft.value.deliveryType === 'pickup';
  const links = { cart: cartUrl(), delivery: deliveryUrl(), orders: ordersUrl() };
  return (
    <span className="row row--wrap">
      <a className="link" href={links[page]}>
        {t(`checkout.nextStep.${page}`)}
      </a>
      {page === 'cart' && isPickup && (
        <a className="link" href={links.delivery}>
          {t('checkout.nextStep.otherShop')}
        </a>
      )}
    </span>
  );
}

/** Shows that the order exists though its payment was refused, with a link; nothing of one that has ended. */
export function Placed() {
  useSignals();
  const failure = checkout.failure.value;
  const exists = failure?.during === 'pay' && fixedAt(failure) !== 'orders';
  const text = t('checkout.placed', { orderNo: checkout.draft.value.orderNo });

  useEffect(() => {
    if (exists) announce(text);
  }, [exists, text]);

  if (!exists) return null;
  return (
    <Notice
      kind="warn"
      action={
        <a className="link" href={orderUrl(checkout.draft.value.orderNo)}>
          {t('checkout.seeOrder')}
        </a>
      }
    >
      {text}
    </Notice>
  );
}
