/*
 * The order being made. The draft outlives a reload and the way to the gateway and back; its transactionCode is
 * the one thing that keeps a retry, a double click or a reload from making a second order (CONTRACT 4).
 */
import { computed, signal } from '@preact/signals-core';
import { type Address, freightAddress } from '../addresses/address';
import { call, ShopError } from '../api/client';
import type { Freight, Jump, PlacedOrder, Trade } from '../api/types';
import {
  allLines,
  type ChosenLine,
  type DeliveryType,
  deliveryComplete,
  draftLines,
  emptyDraft,
  goodsOf,
  type OrderDraft,
  orderRequest,
  type Pickup,
  sameGoods,
  sentGoods,
  shippingType,
} from '../checkout/draft';
import { toCents } from '../money';
import { load as loadCarts } from './carts';
import { takeOut } from './promotion-cart';
import type { PromotionGroup } from './snapshot';
import { read, write } from './storage';

const KEY = 'draft';

export type FreightState = 'none' | 'loading' | 'ready' | 'failed';

/** Where a checkout that could not go on must turn to. */
export interface Obstacle {
  /** What was tried when it happened. */
  during: 'order' | 'pay';
  error: unknown;
}

export const draft = signal<OrderDraft>(emptyDraft());
export const freightState = signal<FreightState>('none');
export const freightError = signal<unknown>(null);
export const paying = signal(false);
export const obstacle = signal<Obstacle | null>(null);

export const complete = computed(() => allLines(draft.value).length > 0 && deliveryComplete(draft.value));
/** The goods in cents; the server's own prices, summed. */
export const goodsTotal = computed(() =>
  allLines(draft.value).reduce((sum, line) => sum + toCents(line.memberPrice) * line.goodsAmount, 0),
);
/** What is to be paid, in cents: the order's own amount once there is one; null while freight is unknown. */
export const grandTotal = computed(() => {
  const { payAmount, freight } = draft.value;
  if (payAmount !== null) return toCents(payAmount);
  return freight === null || freightState.value === 'failed' ? null : goodsTotal.value + toCents(freight);
});

let freightAsked = 0;
let addressTried: Address | null = null;

function change(part: Partial<OrderDraft>): void {
  draft.value = { ...draft.value, ...part };
  write(sessionStorage, KEY, draft.value);
}

/** Brings back the draft that this tab has kept. */
export function restoreDraft(): void {
  draft.value = { ...emptyDraft(), ...read<Partial<OrderDraft>>(sessionStorage, KEY) };
  freightState.value = draft.value.freight === null ? 'none' : 'ready';
  obstacle.value = null;
}

/** Forgets the draft (SPEC 4, "Cleaning the order draft"); one whose order was made only if it is `orderNo`. */
export function cleanDraft(orderNo = draft.value.orderNo): void {
  if (draft.value.orderNo === orderNo) change(emptyDraft());
}

/**
 * Starts a checkout of the goods checked in the carts, and of those of one promotion.
 *
 * Going back and forth with the same goods keeps the transactionCode; other goods, or a draft whose order is
 * made, begin a new one.
 */
export function startDraft(lines: readonly ChosenLine[], group?: PromotionGroup): void {
  const { goodsList, promotion, promotionGoodsList, orderNo, deliveryType } = draft.value;
  const goods = draftLines(lines);
  const promoted = draftLines(group?.shoppingCart ?? []);
  const isSame =
    orderNo === '' &&
    sameGoods(goodsList, goods) &&
    sameGoods(promotionGoodsList, promoted) &&
    promotion?.goodsActionTypeId === group?.goodsActionTypeId;
  const kept = isSame ? draft.value : { ...emptyDraft(), deliveryType };
  const { shoppingCart: _, ...named } = group ?? { shoppingCart: [] };
  change({
    ...kept,
    goodsList: goods,
    promotion: 'goodsActionTypeId' in named ? named : null,
    promotionGoodsList: promoted,
    freight: null,
  });
  freightState.value = 'none';
  obstacle.value = null;
}

/** Chooses delivery or pick-up. */
export function chooseDelivery(deliveryType: DeliveryType): void {
  change({ deliveryType });
  void loadFreight();
}

/** Chooses where the goods go, and asks what that costs. */
export function chooseAddress(address: Address | null): void {
  change({ address });
  void loadFreight();
}

/** Chooses a shop, or a shop and a time. */
export function choosePickup(pickup: Pickup): void {
  change({ pickup });
}

export function choosePayType(payType: string): void {
  change({ payType });
  obstacle.value = null;
}

/**
 * Asks the server for the freight. The latest answer wins; a failure sets freight to 0 and clears the address
 * (SPEC 8), and `retryFreight` takes that address up again.
 */
export async function loadFreight(): Promise<void> {
  const asked = ++freightAsked;
  const { deliveryType, address } = draft.value;
  if (deliveryType === 'pickup') {
    change({ freight: 0 });
    freightState.value = 'ready';
    return;
  }
  change({ freight: null });
  freightState.value = 'none';
  if (!address || !deliveryComplete(draft.value)) return;
  freightState.value = 'loading';
  try {
    const { freight } = await call<Freight>('POST', '/pc/common/freight', {
      address: freightAddress(address),
      orderGoods: sentGoods(draft.value),
      shippingType: shippingType(draft.value),
    });
    if (asked !== freightAsked) return;
    change({ freight });
    freightState.value = 'ready';
  } catch (error) {
    if (asked !== freightAsked) return;
    addressTried = address;
    freightError.value = error;
    change({ freight: 0, address: null });
    freightState.value = 'failed';
  }
}

/** Chooses again the address whose freight could not be had. */
export function retryFreight(): void {
  if (addressTried) chooseAddress(addressTried);
}

/**
 * Makes the order, once, and starts its payment; gives where the browser goes to pay, or null where there is
 * nowhere to go. Undefined: it did not come through, `obstacle` tells why, and the same call may be repeated.
 */
export async function placeAndPay(payType: string, password?: string): Promise<string | null | undefined> {
  if (paying.value) return undefined;
  paying.value = true;
  obstacle.value = null;
  let during: Obstacle['during'] = 'order';
  try {
    if (!draft.value.orderNo) await makeOrder();
    during = 'pay';
    const { jumpUrl } = await startPayment(draft.value.orderNo, payType, password);
    return jumpUrl;
  } catch (error) {
    obstacle.value = { during, error };
    return undefined;
  } finally {
    paying.value = false;
  }
}

async function makeOrder(): Promise<void> {
  if (!draft.value.transactionCode) {
    change(await call<Trade>('POST', '/pc/toTrade', goodsOf(draft.value)));
  }
  try {
    const { orderNo, payAmount, freight } = await call<PlacedOrder>(
      'POST',
      '/pc/order',
      orderRequest(draft.value),
    );
    change({ orderNo, payAmount, freight });
  } catch (error) {
    // The code has lapsed and made nothing, so the next try takes a new one.
    if (error instanceof ShopError && error.reason === 'order_timeout') change({ transactionCode: '' });
    throw error;
  }
  const { promotion, promotionGoodsList } = draft.value;
  if (promotion) {
    takeOut(
      promotion.goodsActionTypeId,
      promotionGoodsList.map((line) => line.goodsId),
    );
  }
  void loadCarts();
}

/**
 * Starts the payment of an order; pay type 0 takes the pay password (SPEC 5).
 *
 * An order that is paid already needs nothing more, so that answer counts as a success. Raises ShopError.
 */
export async function startPayment(orderNo: string, payType: string, password?: string): Promise<Jump> {
  const body = { orderNo, payType, ...(password === undefined ? {} : { password }) };
  try {
    return await call<Jump>('POST', '/pc/order/pay', body);
  } catch (error) {
    if (error instanceof ShopError && error.reason === 'order_paid') return { jumpUrl: null };
    throw error;
  }
}

restoreDraft();
