/* What the delivery step and its list of shops know of a pick-up. */
import { signal } from '@preact/signals-core';
import type { Shop } from '../api/types';
import * as checkout from '../stores/checkout';

/* The ids of the controls for a pick-up, to which errors link. */
export const FIRST_SHOP_ID = 'first-shop';
export const TIME_ID = 'pickup-time';

/** The shops as the server has answered for the draft's products; null before. */
export const shops = signal<Shop[] | null>(null);

/** Shows whether a shop has all of the draft's products. */
export const hasAll = (shop: Shop) => shop.available !== false;

/** Gives the shop that the draft names; its component calls `useSignals`. */
export function chosenShop(): Shop | undefined {
  return shops.value?.find((shop) => shop.shopId === checkout.draft.value.pickup.pickupShopId);
}
