/* What an order would hold, by the server's own sums (docs/wire.md#orderpreview); the checkout and the cart ask. */
import { call, ShopError } from '../api/client';
import type { OrderDetail, Preview } from '../api/types';
import { bothNames } from '../lang';
import { toCents } from '../money';
import { freightAddress, needsArea, shippingTypeFor } from './address';
import type { Place } from './known-place';

export type Parcel = Preview['parcels'][number];

/** A line as it is bought: AUD for one, taken off all of its units, for all of them; the rule behind it. */
export type SummaryLine = Pick<
  OrderDetail['goods'][number],
  | 'goodsId'
  | 'goodsName'
  | 'goodsEnglishName'
  | 'goodsImgUrl'
  | 'goodsAmount'
  | 'price'
  | 'discount'
  | 'lineAmount'
  | 'actionTypeId'
  | 'isGift'
  | 'why'
  | 'whyEn'
>;

/** The lines of an order, what is taken off them, what they cost after that, and what points pay, in AUD. */
export interface Summary {
  goods: SummaryLine[];
  discount: number;
  orderAmount: number;
  /** Missing in one that a tab has stored before there were points. */
  pointsAmount?: number;
  /** The most points that could pay; none of an order that is made. */
  pointsUsable?: number;
  /** Gifts that are not sent to the address, and the amounts without the voucher; of a preview alone. */
  giftsLeftOut?: Preview['giftsLeftOut'];
  withoutVoucher?: Preview['withoutVoucher'];
}

interface Goods {
  goodsId: number;
  goodsAmount: number;
}

/** What is to be bought, and where it goes: a place, `pickup`, or nothing known yet. */
export interface Question {
  orderGoods: readonly Goods[];
  actionGoods: readonly (Goods & { actionTypeId: number })[];
  to: Place | 'pickup' | null;
  voucherCode?: string;
  points?: number;
}

/** Shows whether a place is known well enough to ask what sending there costs. */
export function isKnown(place: Place): boolean {
  return !needsArea(place) || [place.city, ...place.cityName].some((part) => part.trim() !== '');
}

/** Asks what an order would hold; its freight is null while its destination is unknown. Raises ShopError. */
export async function askPreview(question: Question, signal?: AbortSignal): Promise<Preview> {
  const { orderGoods, actionGoods, to, voucherCode, points } = question;
  const paid = { ...(voucherCode ? { voucherCode } : {}), ...(points ? { points } : {}) };
  const body = { orderGoods, actionGoods, ...destination(to), ...paid };
  const preview = await call<Preview>('POST', '/pc/order/preview', body, { signal });
  // Whatever answered, no screen may show an amount that is none.
  const sums = [preview?.orderAmount, preview?.payAmount, ...(to ? [preview?.freight] : [])];
  if (!sums.every(Number.isFinite)) throw new ShopError({ code: -1, status: 0, reason: 'server_error' });
  return preview;
}

function destination(to: Question['to']): object {
  if (to === 'pickup') return { shippingType: 3 };
  return to ? { address: freightAddress(to), shippingType: shippingTypeFor(to) } : {};
}

/** Gives what a summary shows of an order, without what a tab need not store. */
export function summaryOf(of: Summary): Summary {
  const { goods, discount, orderAmount, pointsAmount } = of;
  return { goods, discount, orderAmount, pointsAmount };
}

/** Gives what is taken off the products that are bought, in cents: what is given away is not among them. */
export function takenOff({ goods }: Pick<Summary, 'goods'>): number {
  return goods.reduce((sum, { discount, isGift }) => sum + (isGift ? 0 : toCents(discount)), 0);
}

/**
 * Gives what a line costs before anything is taken off, in cents, as sums of products do; nothing for what is given
 * away.
 */
export function fullAmount({ lineAmount, discount, isGift }: SummaryLine): number {
  return toCents(lineAmount) + (isGift ? 0 : toCents(discount));
}

/** The server's text for a line at no special price. */
const ORDINARY = '正常价格';

/** Gives the rule behind a line's price in the page's language; nothing for an ordinary price. */
export function whyOf({ why, whyEn }: Pick<SummaryLine, 'why' | 'whyEn'>): string {
  return why === ORDINARY ? '' : bothNames(why, whyEn).name;
}

/** Gives the shop's own text about a place that it does not deliver to, in the page's language; else nothing. */
export function notDelivered(error: unknown): string {
  return error instanceof ShopError ? bothNames(error.why, error.whyEn).name : '';
}
