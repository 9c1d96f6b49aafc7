/* What the checked lines of all carts cost together (docs/product.md#carts). */
import { computed } from '@preact/signals-core';
import { toCents } from '../money';
import { priceOf, unitsOf } from './prices';
import * as promotions from './promotion-cart';
import { bulk, ordinary as cart } from './server-carts';
import { type Line, totalOf } from './snapshot';

/** The lines that go to checkout. */
export const checked = computed(() => [
  ...cart.checked.value,
  ...bulk.checked.value,
  ...promotions.chosen.value.flatMap(promotions.checkedOf),
]);
/** The total of the checked lines, in cents. */
export const total = computed(() => totalOf(checked.value));
const units = computed(() => unitsOf(checked.value));

/** Gives the price of one unit of a line, in cents: a checked one is bought with those in the other carts. */
export function priceInOrder(line: Line): number {
  return priceOf(line, line.checked ? units.value[line.goodsId] : undefined);
}

/** Gives what all units of a line cost less than without their promotion, in cents. */
export function savedOn(line: Line): number {
  const { wasPrice, goodsAmount } = line;
  return wasPrice ? Math.max(0, toCents(wasPrice) - priceInOrder(line)) * goodsAmount : 0;
}
