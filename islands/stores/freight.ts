/* What sending products costs (docs/wire.md#commonfreight); the checkout and the cart ask. */
import { call, ShopError } from '../api/client';
import type { Freight } from '../api/types';
import { bothNames } from '../lang';
import { freightAddress, needsArea, type Place, shippingTypeFor } from './address';

/** A parcel: storage, weight in grams, price in AUD; where the shop says it, why it costs that. */
export type Parcel = Freight['parcels'][number] & { reason?: string; reasonEn?: string };

/** The price of sending, in AUD, and its parcels. */
export type Quote = Omit<Freight, 'parcels'> & {
  parcels: Parcel[];
  /** AUD that are missing until delivery is free: 0 when it is free; none where nothing makes it free. */
  missingForFree?: number | null;
};

interface Goods {
  goodsId: number;
  goodsAmount: number;
}

/** Tells whether a place is known well enough to ask what sending there costs. */
export function isKnown(place: Place): boolean {
  return !needsArea(place) || [place.city, ...place.cityName].some((part) => part.trim() !== '');
}

/**
 * Asks what sending products to a place costs. Raises ShopError: `freight_without_address` and
 * `freight_without_products` before any request (docs/product.md#checkout), else what the shop refuses.
 */
export async function askFreight(
  place: Place | null,
  orderGoods: readonly Goods[],
  signal?: AbortSignal,
): Promise<Quote> {
  if (!place || !isKnown(place)) throw refusal('freight_without_address');
  if (orderGoods.length === 0) throw refusal('freight_without_products');
  const body = { address: freightAddress(place), orderGoods, shippingType: shippingTypeFor(place) };
  const quote = await call<Quote>('POST', '/pc/common/freight', body, { signal });
  // Whatever answered, no screen may show an amount that is none.
  if (!Number.isFinite(quote?.freight)) throw refusal('server_error');
  return quote;
}

function refusal(reason: string): ShopError {
  return new ShopError({ code: -1, status: 0, reason });
}

/** Gives the shop's own text about a place that it does not deliver to, in the page's language; else nothing. */
export function notDelivered(error: unknown): string {
  if (!(error instanceof ShopError)) return '';
  const { notDelivered = '', notDeliveredEn = '' } = (error.result ?? {}) as Record<string, string>;
  return bothNames(notDelivered, notDeliveredEn).name;
}
