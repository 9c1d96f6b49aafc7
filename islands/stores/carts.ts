/* All carts together: ordinary, bulk and promotions. */
import { computed } from '@preact/signals-core';
import { call } from '../api/client';
import type { ProductBatch } from '../api/types';
import { t } from '../i18n';
import { show } from '../ui/toast';
import { bulk } from './bulk-cart';
import * as cart from './cart';
import { dismiss, type News, tellGone } from './cart-news';
import { canBuy } from './cart-rules';
import * as promotions from './promotion-cart';

export const count = computed(() => cart.count.value + bulk.count.value + promotions.count.value);
/** The units of the checked lines. */
export const checkedCount = computed(
  () => cart.checkedCount.value + bulk.checkedCount.value + promotions.checkedCount.value,
);
export const isEmpty = computed(() => count.value === 0);
/** True until the server has confirmed every change. */
export const saving = computed(() => cart.saving.value || bulk.saving.value);
/** True while a cart is fetched. */
export const loading = computed(() => cart.loading.value || bulk.loading.value);
/** True when products of several promotions are checked, which no order may combine (docs/product.md#carts). */
export const isMixed = computed(() => promotions.chosen.value.length > 1);

/** True while something in the carts can be bought. */
export const canCheckOut = computed(() =>
  [
    ...cart.lines.value,
    ...bulk.lines.value,
    ...promotions.groups.value.filter((group) => group.valid).flatMap((group) => group.shoppingCart),
  ].some(canBuy),
);

/** Checks everything that can be bought. */
export function checkAll(): void {
  cart.checkAll(true);
  bulk.checkAll(true);
  for (const group of promotions.groups.value) promotions.checkAll(group.goodsActionTypeId, true);
}

/**
 * Empties all carts, a customer's on the server too (docs/product.md#carts). Raises ShopError where the server
 * refused; what it did not empty is back then.
 */
export async function clear(): Promise<void> {
  promotions.clear();
  const outcomes = await Promise.allSettled([cart.clear(), bulk.clear()]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  show('ok', t('cart.cleared'));
}

/**
 * Puts the products of a promotion that has ended into the ordinary cart, at their present prices; those that are no
 * longer on sale are told (docs/product.md#carts). Raises ShopError.
 */
export async function buyWithoutPromotion({ id, goods }: News): Promise<void> {
  const goodsIds = goods.map((line) => line.goodsId);
  const { list } = await call<ProductBatch>('POST', '/pc/goods/batch', { goodsIds });
  dismiss(id);
  const amounts = new Map(goods.map((line) => [line.goodsId, line.goodsAmount]));
  cart.addAll(list.map((product) => ({ product, amount: amounts.get(product.goodsId) ?? 1 })));
  const gone = goods.filter((line) => !list.some((product) => product.goodsId === line.goodsId));
  if (gone.length) tellGone(gone);
}

/** Updates the carts from the server. */
export async function load(): Promise<void> {
  await Promise.all([cart.load(), bulk.load()]);
}

/** Waits until the server has every change. */
export async function flush(): Promise<void> {
  await Promise.all([cart.flush(), bulk.flush()]);
}
