/* What the cart and its drawer do with all carts together; the checkout needs none of it. */
import { computed } from '@preact/signals-core';
import { call } from '../api/client';
import type { ProductBatch } from '../api/types';
import { t } from '../i18n';
import { show } from '../ui/toast';
import { bulk } from './bulk-cart';
import * as cart from './cart';
import { addNotice, type CartNotice, dismiss } from './cart-notices';
import { canBuy } from './cart-rules';
import { lines } from './carts';
import * as promotions from './promotion-cart';

/** True while something in the carts can be bought. */
export const canCheckOut = computed(() => lines.value.some(canBuy));

/** Checks everything that can be bought. */
export function checkAllCarts(): void {
  cart.checkAll(true);
  bulk.checkAll(true);
  for (const group of promotions.groups.value) promotions.checkAll(group.goodsActionTypeId, true);
}

/**
 * Empties all carts, a customer's on the server too (docs/product.md#carts). Raises ShopError where the server
 * refused; what it did not empty is back then.
 */
export async function clearCarts(): Promise<void> {
  promotions.clear();
  const outcomes = await Promise.allSettled([cart.clear(), bulk.clear()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  show('ok', t('cart.cleared'));
}

/**
 * Puts the products of a promotion that has ended into the ordinary cart, at their present prices; those that are no
 * longer on sale are notice (docs/product.md#carts). Raises ShopError.
 */
export async function buyWithoutPromotion({ id, goods }: CartNotice): Promise<void> {
  const goodsIds = goods.map((line) => line.goodsId);
  const { list } = await call<ProductBatch>('POST', '/pc/goods/batch', { goodsIds });
  dismiss(id);
  const amounts = new Map(goods.map((line) => [line.goodsId, line.goodsAmount]));
  cart.addAll(list.map((product) => ({ product, amount: amounts.get(product.goodsId) ?? 1 })));
  const gone = goods.filter((line) => !list.some((product) => product.goodsId === line.goodsId));
  if (gone.length) addNotice(gone);
}
