/* All carts together: ordinary, bulk and promotions. */
import { computed } from '@preact/signals-core';
import { canBuy } from './cart-rules';
import * as promotions from './promotion-cart';
import { bulk, ordinary as cart } from './server-carts';

export const count = computed(() => cart.count.value + bulk.count.value + promotions.count.value);
/** The units of the checked lines. */
export const checkedCount = computed(
  () => cart.checkedCount.value + bulk.checkedCount.value + promotions.checkedCount.value,
);
/** The lines of all carts. */
export const lines = computed(() => [
  ...cart.lines.value,
  ...bulk.lines.value,
  ...promotions.groups.value.filter((group) => group.valid).flatMap((group) => group.shoppingCart),
]);
/** How many products the carts have, and of how many the lines are checked. */
export const products = computed(() => lines.value.length);
export const checkedProducts = computed(
  () => lines.value.filter((line) => line.checked && canBuy(line)).length,
);
export const isEmpty = computed(() => count.value === 0);
/** True until the server has confirmed every change. */
export const saving = computed(() => cart.saving.value || bulk.saving.value);
/** True while a cart is fetched. */
export const loading = computed(() => cart.loading.value || bulk.loading.value);
/** True when products of several promotions are checked, which no order may combine (docs/product.md#carts). */
export const isMixed = computed(() => promotions.chosen.value.length > 1);

/** Updates the carts from the server. */
export async function load(): Promise<void> {
  await Promise.all([cart.load(), bulk.load()]);
}

/** Loads the carts that this page has not loaded yet; each may load alone. Gives whether it has both. */
export async function loadOnce(): Promise<boolean> {
  await Promise.all([cart, bulk].map((one) => (one.isFetched() ? undefined : one.load())));
  return cart.isFetched() && bulk.isFetched();
}

/**
 * Takes the ticked lines of products that were ordered out of the carts, and updates these from the server. The page
 * may be left before the server answers, and the next one would add to ordered lines.
 */
export function removeOrdered(goodsIds: readonly number[]): void {
  for (const one of [cart, bulk]) void one.removeOrdered(goodsIds);
  void load();
}

/** Waits until the server has every change. */
export async function flush(): Promise<void> {
  await Promise.all([cart.flush(), bulk.flush()]);
}
