/* All that a customer means to buy: ordinary goods, goods by the carton, and goods of promotions. */
import { computed } from '@preact/signals-core';
import { bulk } from './bulk-cart';
import * as cart from './cart';
import * as promotions from './promotion-cart';

export const count = computed(() => cart.count.value + bulk.count.value + promotions.count.value);
/** The units that go to checkout. */
export const checkedCount = computed(
  () => cart.checkedCount.value + bulk.checkedCount.value + promotions.checkedCount.value,
);
/** The total of all that is checked, in cents. */
export const total = computed(() => cart.total.value + bulk.total.value + promotions.total.value);
export const isEmpty = computed(() => count.value === 0);
/** True while a change is not confirmed by the server. */
export const saving = computed(() => cart.saving.value || bulk.saving.value);
/** True while anything of the server's is being fetched. */
export const loading = computed(() => cart.loading.value || bulk.loading.value);
/** True when goods of several promotions are checked, which no order may combine (SPEC 5). */
export const isMixed = computed(() => promotions.chosen.value.length > 1);

/** Brings the carts up to date with the server. */
export async function load(): Promise<void> {
  await Promise.all([cart.load(), bulk.load()]);
}

/** Waits until the server knows every change. */
export async function flush(): Promise<void> {
  await Promise.all([cart.flush(), bulk.flush()]);
}
