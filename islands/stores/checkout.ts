/*
 * The order draft. It survives a reload and the visit to the gateway; its transactionCode
 * keeps a retry, a double click or a reload from placing a second order (docs/wire.md#order).
 */
import { computed, signal } from '@preact/signals-core';
import { call, type Method, ShopError } from '../api/client';
import type { Freight, Jump, OrderDetail, PlacedOrder, Trade } from '../api/types';
import { toCents } from '../money';
import { type Address, freightAddress } from './address';
import { load as loadCarts } from './carts';
import {
  allLines,
  type ChosenLine,
  type DeliveryType,
  deliveryComplete,
  draftLines,
  emptyDraft,
  type OrderDraft,
  orderedProducts,
  orderRequest,
  type Pickup,
  placedLines,
  sameProducts,
  sentProducts,
  shippingType,
  sumOf,
} from './order-draft';
import { removeOrdered } from './promotion-cart';
import { account, tokenOf } from './session';
import type { PromotionGroup } from './snapshot';
import { read, write } from './storage';

const KEY = 'draft';

type FreightState = 'none' | 'loading' | 'ready' | 'failed';

/** Why a checkout could not go on. */
export interface CheckoutFailure {
  /** The step that failed. */
  during: 'order' | 'pay';
  error: unknown;
}

export const draft = signal<OrderDraft>(emptyDraft());
export const freightState = signal<FreightState>('none');
export const freightError = signal<unknown>(null);
export const paying = signal(false);
export const failure = signal<CheckoutFailure | null>(null);

export const complete = computed(() => allLines(draft.value).length > 0 && deliveryComplete(draft.value));
/** The sum of the server's prices, in cents. */
export const productTotal = computed(() => sumOf(allLines(draft.value)));
/** The amount to pay, in cents: the order's once it is placed; null while the freight is unknown. */
export const grandTotal = computed(() => {
  const { payAmount, freight } = draft.value;
  if (payAmount !== null) return toCents(payAmount);
  return freight === null || freightState.value === 'failed' ? null : productTotal.value + toCents(freight);
});
/** Whether an order can be placed for an amount that the customer has seen. */
export const readyToPay = computed(() => complete.value && grandTotal.value !== null);

let freightRequests = 0;
let failedAddress: Address | null = null;

function change(part: Partial<OrderDraft>): void {
  draft.value = { ...draft.value, ...part };
  write(sessionStorage, KEY, draft.value);
}

/** Restores the draft that this tab has stored for who is logged in; another customer's is none. */
export function restoreDraft(): void {
  const stored = read<Partial<OrderDraft>>(sessionStorage, KEY);
  draft.value = { ...emptyDraft(), ...(stored?.owner === account.value ? stored : {}) };
  freightRequests += 1;
  failedAddress = null;
  freightState.value = draft.value.freight === null ? 'none' : 'ready';
  failure.value = null;
}

/** Clears the draft (docs/product.md#checkout); after its order was placed only if that is `orderNo`. */
export function cleanDraft(orderNo = draft.value.orderNo): void {
  if (draft.value.orderNo === orderNo) change(emptyDraft());
}

/**
 * Starts a checkout of the checked lines of the carts, and of those of one promotion.
 *
 * The same lines keep the transactionCode; other lines, or a draft whose order is
 * placed, start a new one.
 */
export function startDraft(lines: readonly ChosenLine[], group?: PromotionGroup): void {
  const { goodsList, promotion, promotionGoodsList, orderNo, deliveryType } = draft.value;
  const promotedLines = group?.shoppingCart ?? [];
  const together = [...lines, ...promotedLines];
  const chosen = draftLines(lines, together);
  const promoted = draftLines(promotedLines, together);
  const isSame =
    orderNo === '' &&
    sameProducts(goodsList, chosen) &&
    sameProducts(promotionGoodsList, promoted) &&
    promotion?.goodsActionTypeId === group?.goodsActionTypeId;
  const base = isSame ? draft.value : { ...emptyDraft(), owner: account.value, deliveryType };
  const { shoppingCart: _, ...named } = group ?? { shoppingCart: [] };
  change({
    ...base,
    goodsList: chosen,
    promotion: 'goodsActionTypeId' in named ? named : null,
    promotionGoodsList: promoted,
    freight: null,
  });
  freightState.value = 'none';
  failure.value = null;
  // The freight of a delivery is loaded when its address is chosen.
  if (base.deliveryType === 'pickup') void loadFreight();
}

/** Chooses delivery or pick-up. */
export function chooseDelivery(deliveryType: DeliveryType): void {
  change({ deliveryType });
  void loadFreight();
}

/** Chooses the delivery address and loads its freight. */
export function chooseAddress(address: Address | null): void {
  change({ address });
  void loadFreight();
}

/** Chooses a pick-up shop, or a shop and a time. */
export function choosePickup(pickup: Pickup): void {
  change({ pickup });
}

export function choosePayType(payType: string): void {
  change({ payType });
  failure.value = null;
}

/**
 * Loads the freight. Only the latest request counts; a failure sets the freight to 0 and clears the address
 * (docs/product.md#checkout), which `retryFreight` chooses again.
 */
async function loadFreight(): Promise<void> {
  const request = ++freightRequests;
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
      orderGoods: sentProducts(draft.value),
      shippingType: shippingType(draft.value),
    });
    if (request !== freightRequests) return;
    change({ freight });
    freightState.value = 'ready';
  } catch (error) {
    if (request !== freightRequests) return;
    failedAddress = address;
    freightError.value = error;
    change({ freight: 0, address: null });
    freightState.value = 'failed';
  }
}

/** Chooses again the address whose freight could not be loaded. */
export function retryFreight(): void {
  if (failedAddress) chooseAddress(failedAddress);
}

/**
 * Places the order, once, and starts its payment; gives the URL of the payment page, or null where there is
 * none. Undefined: it failed, `failure` has the reason, and the call may be repeated.
 *
 * An order of another amount than was shown is not paid before the customer has seen it.
 */
export async function placeAndPay(payType: string, password?: string): Promise<string | null | undefined> {
  if (paying.value) return undefined;
  paying.value = true;
  failure.value = null;
  let during: CheckoutFailure['during'] = 'order';
  const { owner } = draft.value;
  try {
    if (!draft.value.orderNo) {
      const shown = grandTotal.value;
      await makeOrder(owner);
      if (grandTotal.value !== shown) throw new ShopError({ code: -1, status: 0, reason: 'amount_changed' });
    }
    during = 'pay';
    const { jumpUrl } = await startPayment(draft.value.orderNo, payType, password, owner);
    return jumpUrl;
  } catch (error) {
    failure.value = { during, error };
    return undefined;
  } finally {
    paying.value = false;
  }
}

/**
 * Calls with the token of one customer, who may not have been logged in by another tab since. An answer that comes
 * after they have gone counts as a refusal, as nothing of it may be shown to the next one. Raises ShopError.
 */
async function callAs<T>(owner: string, method: Method, path: string, body?: unknown): Promise<T> {
  const answer = await call<T>(method, path, body, { token: tokenOf(owner) });
  tokenOf(owner);
  return answer;
}

async function makeOrder(owner: string): Promise<void> {
  if (!draft.value.transactionCode) {
    change(await callAs<Trade>(owner, 'POST', '/pc/toTrade', orderedProducts(draft.value)));
  }
  try {
    const placed = await callAs<PlacedOrder>(owner, 'POST', '/pc/order', orderRequest(draft.value));
    const { orderNo, orderAmount, payAmount, freight } = placed;
    const lines = toCents(orderAmount) === productTotal.value ? {} : await linesOfOrder(owner, orderNo);
    // Only now, so that a retry asks again for lines that did not come.
    change({ orderNo, payAmount, freight, ...lines });
  } catch (error) {
    // The code has expired without an order, so a retry needs a new one.
    if (error instanceof ShopError && error.reason === 'order_timeout') change({ transactionCode: '' });
    throw error;
  }
  const { promotion, promotionGoodsList } = draft.value;
  if (promotion) {
    removeOrdered(
      promotion.goodsActionTypeId,
      promotionGoodsList.map((line) => line.goodsId),
    );
  }
  void loadCarts();
}

async function linesOfOrder(owner: string, orderNo: string) {
  const { goods } = await callAs<OrderDetail>(owner, 'GET', `/pc/order/detailed/${orderNo}`);
  return placedLines(draft.value, goods);
}

/**
 * Starts the payment of `owner`'s order; pay type 0 takes the pay password (docs/product.md#checkout).
 *
 * The answer that the order is paid already counts as a success. Raises ShopError.
 */
export async function startPayment(
  orderNo: string,
  payType: string,
  password?: string,
  owner = account.value,
): Promise<Jump> {
  const body = { orderNo, payType, ...(password === undefined ? {} : { password }) };
  try {
    return await callAs<Jump>(owner, 'POST', '/pc/order/pay', body);
  } catch (error) {
    if (error instanceof ShopError && error.reason === 'order_paid') return { jumpUrl: null };
    throw error;
  }
}

restoreDraft();
document.addEventListener('shop:session', restoreDraft);
