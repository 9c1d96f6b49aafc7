/* When products arrive at a place, by the server (docs/product.md#when-it-comes). */
import { call } from '../api/client';
import type { Arrival } from '../api/types';
import { freightAddress } from './address';
import type { Place } from './known-place';
import { isKnown } from './preview';

interface Goods {
  goodsId: number;
  goodsAmount: number;
}

/** Asks when products arrive at a place, null for none, and when they can be picked up; without products, when
anything does. Raises ShopError. */
export function askArrival(
  place: Place | null,
  orderGoods: readonly Goods[],
  signal?: AbortSignal,
): Promise<Arrival> {
  const address = place && isKnown(place) ? freightAddress(place) : '';
  return call<Arrival>('POST', '/pc/common/arrival', { address, orderGoods }, { signal });
}
