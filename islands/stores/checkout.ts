/*
 * The order draft. It survives a reload and the visit to the gateway; its transactionCode
 * keeps a retry, a double click or a reload from placing a second order (docs/wire.md#order).
 */
import { computed, signal } from '@preact/signals-core';
import { ShopError } from '../api/client';
import type { OrderDetail, PlacedOrder, Trade } from '../api/types';
import { toCents } from '../money';
import { type Address, addressAt } from './address';
import { removeOrdered as removeFromCarts } from './carts';
import type { Place } from './known-place';
import {
  allLines,
  type ChosenLine,
  type ChosenPayType,
  type DeliveryType,
  type DraftLine,
  deliveryComplete,
  draftLines,
  emptyDraft,
  type OrderDraft,
  orderedProducts,
  orderRequest,
  type Pickup,
  sameProducts,
  shippingType,
  sumOf,
} from './order-draft';
import { callAs, startPayment } from './payment';
import { rememberAddress, rememberTyped } from './place';
import { askPreview, isKnown, type Question, type Summary, summaryOf } from './preview';
import { removeOrdered } from './promotion-cart';
import { account } from './session';
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
/** Whether only other products help: a promotion has ended, or something is not sent abroad. */
export const freightNeedsOtherProducts = computed(() => {
  const error = freightError.value;
  return error instanceof ShopError && Boolean(error.fields.actionTypeId || error.fields.orderGoods);
});
export const paying = signal(false);
export const failure = signal<CheckoutFailure | null>(null);
/** Why the voucher that was typed is not used. */
export const voucherError = signal<unknown>(null);
/** Why the points that were entered are not used. */
export const pointsError = signal<unknown>(null);
/** Whether the server is asked for the order's sums. */
export const summing = signal(false);

export const complete = computed(() => allLines(draft.value).length > 0 && deliveryComplete(draft.value));
/** What the products cost after promotion and voucher, in cents, by the server as soon as it has answered. */
export const productTotal = computed(() => {
  const { summary } = draft.value;
  return summary ? toCents(summary.orderAmount) : sumOf(allLines(draft.value));
});
/** What points pay of them, in cents. */
export const paidWithPoints = computed(() => toCents(draft.value.summary?.pointsAmount ?? 0));
/** The amount to pay, in cents: the order's once it is placed; null while the freight is unknown. */
export const grandTotal = computed(() => {
  const { payAmount, freight } = draft.value;
  if (payAmount !== null) return toCents(payAmount);
  if (freight === null || freightState.value === 'failed' || summing.value) return null;
  return productTotal.value - paidWithPoints.value + toCents(freight);
});
/** What is left to pay of it, in cents. */
export const leftToPay = computed(() => {
  const { leftToPay } = draft.value;
  return leftToPay === null ? grandTotal.value : toCents(leftToPay);
});
/** The same while the freight is unknown: without it. */
export const totalSoFar = computed(() => grandTotal.value ?? productTotal.value - paidWithPoints.value);
/** Whether an order can be placed for an amount that the customer has seen. */
export const readyToPay = computed(() => complete.value && grandTotal.value !== null);

let freightRequests = 0;
let failedAddress: Address | null = null;

function change(part: Partial<OrderDraft>): void {
  draft.value = { ...draft.value, ...part };
  write(sessionStorage, KEY, draft.value);
}

/**
 * Restores the draft that this tab has stored for the logged-in customer. A guest's becomes that of the
 * customer who logs in; another customer's is none (docs/product.md#session).
 */
export function restoreDraft(): void {
  const stored = read<Partial<OrderDraft>>(sessionStorage, KEY);
  const isTheirs = stored?.owner === account.value || stored?.owner === '';
  draft.value = { ...emptyDraft(), ...(isTheirs ? stored : {}), owner: account.value };
  if (isTheirs && stored.owner !== account.value) write(sessionStorage, KEY, draft.value);
  forgetFreight(draft.value.freight === null ? 'none' : 'ready');
  failure.value = null;
}

/**
 * Clears the draft (docs/product.md#checkout); after its order was placed only if that is `orderNo`.
 * Its freight is then 0, as nothing is sent.
 */
export function cleanDraft(orderNo = draft.value.orderNo): void {
  if (draft.value.orderNo !== orderNo) return;
  change({ ...emptyDraft(), freight: 0 });
  forgetFreight('none');
}

function forgetFreight(state: FreightState): void {
  freightRequests += 1;
  failedAddress = null;
  freightState.value = state;
  summing.value = false;
  voucherError.value = null;
  pointsError.value = null;
}

/**
 * Starts a checkout of the checked lines of the carts, and of those of one promotion.
 *
 * The same lines keep the transactionCode; other lines start a new one, which goes the same way to the same place.
 * After its order was placed only the way is kept.
 */
export function startDraft(lines: readonly ChosenLine[], group?: PromotionGroup): void {
  const { goodsList, promotion, promotionGoodsList, orderNo, deliveryType, address, pickup } = draft.value;
  const { deliverySlot, deliveryUntil, leaveAtDoor, remark, soldOutWish } = draft.value;
  const { voucherCode, points, payType, unfinished } = draft.value;
  const promotedLines = group?.shoppingCart ?? [];
  const together = [...lines, ...promotedLines];
  const chosen = draftLines(lines, together);
  const promoted = draftLines(promotedLines, together);
  const isSame =
    orderNo === '' &&
    sameProducts(goodsList, chosen) &&
    sameProducts(promotionGoodsList, promoted) &&
    promotion?.goodsActionTypeId === group?.goodsActionTypeId;
  // A window that other products cannot have is dropped when the windows are loaded.
  const wishes = { deliverySlot, deliveryUntil, leaveAtDoor, remark, soldOutWish };
  // So is a voucher, and points, by the server's answer.
  const chosenAtDelivery = {
    deliveryType,
    address,
    pickup,
    ...wishes,
    voucherCode,
    points,
    payType,
    unfinished,
  };
  const kept = orderNo === '' ? chosenAtDelivery : { deliveryType };
  const base = isSame ? draft.value : { ...emptyDraft(), owner: account.value, ...kept };
  const { shoppingCart: _, ...named } = group ?? { shoppingCart: [] };
  change({
    ...base,
    active: 0,
    goodsList: chosen,
    promotion: 'goodsActionTypeId' in named ? named : null,
    promotionGoodsList: promoted,
    freight: null,
    parcels: [],
    summary: null,
  });
  forgetFreight('none');
  failure.value = null;
  // If no place is known yet, the freight is loaded when one is; what a promotion does is asked for
  // immediately.
  if (destination() || group) void loadFreight();
}

/** Chooses delivery or pick-up. */
export function chooseDelivery(deliveryType: DeliveryType): void {
  change({ deliveryType });
  void loadFreight();
}

/** Goes on from the delivery step to payment. */
export function goToPayment(): void {
  change({ active: 1 });
}

/** Chooses a guest's place, which may become an address after the login, and loads its freight. */
export function choosePlace(place: Place | null): void {
  chooseAddress(place && addressAt(place));
}

/** Chooses the delivery address and loads its freight. */
export function chooseAddress(address: Address | null): void {
  // The list of addresses chooses again what the draft has already.
  const isSame = address !== null && JSON.stringify(address) === JSON.stringify(draft.value.address);
  const isKnownAlready = isSame && ['loading', 'ready'].includes(freightState.value);
  change({ address });
  if (!isKnownAlready) void loadFreight();
}

/** Keeps an address that is not saved yet for a reload of the page; null for none. */
export function keepUnfinished(unfinished: Address | null): void {
  if (unfinished !== draft.value.unfinished) change({ unfinished });
}

/** Notes a window of the van, a remark, or other wishes of the customer besides the products. */
export function noteWishes(
  wishes: Partial<
    Pick<OrderDraft, 'deliverySlot' | 'deliveryUntil' | 'leaveAtDoor' | 'remark' | 'soldOutWish'>
  >,
): void {
  change(wishes);
}

/** Chooses a pick-up shop, or a shop and a time. */
export function choosePickup(pickup: Pickup): void {
  change({ pickup });
}

export function choosePayType({ payName, payCode, payType, img }: Omit<ChosenPayType, 'check'>): void {
  change({ payType: { payName, payCode, payType, img, check: true } });
  failure.value = null;
}

/** Uses a voucher, none for an empty code; `voucherError` contains why one cannot be used. */
export function applyVoucher(code: string): Promise<void> {
  return apply({ voucherCode: code.trim() });
}

/** Lets points pay, none for 0; `pointsError` contains why they cannot. */
export function applyPoints(points: number): Promise<void> {
  return apply({ points });
}

function apply(part: Partial<OrderDraft>): Promise<void> {
  voucherError.value = null;
  pointsError.value = null;
  // A place that was refused is asked for again: the page would lose the reason otherwise.
  change(freightState.value === 'failed' ? { ...part, address: failedAddress } : part);
  return loadFreight();
}

function destination(): Question['to'] {
  const { deliveryType, address } = draft.value;
  if (deliveryType === 'pickup') return 'pickup';
  return deliveryType === 'delivery' && address && isKnown(address) ? address : null;
}

/**
 * Loads the freight with the order's lines and sums. Only the latest request counts; where the freight of a place
 * could not be loaded it becomes 0 and the address is cleared (docs/product.md#checkout), which `retryFreight`
 * chooses again. A voucher or points that cannot be used are dropped.
 */
async function loadFreight(to = destination()): Promise<void> {
  const request = ++freightRequests;
  const address = to !== 'pickup' && to ? draft.value.address : null;
  change({ freight: to === 'pickup' ? 0 : null, parcels: [], freeFrom: [] });
  freightState.value = address ? 'loading' : to ? 'ready' : 'none';
  summing.value = true;
  const { voucherCode, points } = draft.value;
  try {
    const preview = await askPreview({ ...orderedProducts(draft.value), to, voucherCode, points });
    if (request !== freightRequests) return;
    const { freight, parcels, freeFrom } = preview;
    change({ freight, parcels, freeFrom, summary: preview });
    summing.value = false;
    if (!address) return;
    freightState.value = 'ready';
    (address.addressId === null ? rememberTyped : rememberAddress)(address);
  } catch (error) {
    if (request !== freightRequests) return;
    const refused = refusedBy(error);
    if (refused) {
      change(refused === pointsError ? { points: 0 } : { voucherCode: '' });
      await loadFreight(to);
      refused.value = error;
      return;
    }
    // The products cost the same wherever they go; without any answer the order itself shows what is wrong.
    const question = { ...orderedProducts(draft.value), to: null, voucherCode, points };
    const preview = address && (await askPreview(question).catch(() => null));
    if (request !== freightRequests) return;
    summing.value = false;
    change({ summary: preview });
    if (!address) return;
    failedAddress = address;
    freightError.value = error;
    change({ freight: 0, address: null });
    freightState.value = 'failed';
  }
}

/** Gives the signal of what a refusal is about: the voucher or the points of the draft; null for neither. */
function refusedBy(error: unknown): typeof voucherError | null {
  if (!(error instanceof ShopError)) return null;
  const { points, voucherCode } = draft.value;
  if (points && 'points' in error.fields) return pointsError;
  const isOfVoucher = 'voucherCode' in error.fields || error.reason === 'too_frequent';
  return voucherCode && isOfVoucher ? voucherError : null;
}

/** Chooses again the address whose freight could not be loaded. */
export function retryFreight(): void {
  if (failedAddress) chooseAddress(failedAddress);
}

/**
 * Places the order, once, and starts its payment; gives the URL of the payment page, or null where there is
 * none. Undefined: it failed, `failure` has the reason, and the call may be repeated.
 *
 * An order of another amount than was shown is not paid before the customer has seen it. `idCard`: the recipient's,
 * where customs ask for it; it is stored nowhere. `walletAmount`: what is taken from the wallet now, in cents.
 */
export async function placeAndPay(
  payType: string,
  password?: string,
  idCard?: string,
  walletAmount?: number,
): Promise<string | null | undefined> {
  if (paying.value) return undefined;
  paying.value = true;
  failure.value = null;
  let during: CheckoutFailure['during'] = 'order';
  const { owner } = draft.value;
  try {
    if (!draft.value.orderNo) {
      const shown = grandTotal.value;
      await makeOrder(owner, idCard);
      if (grandTotal.value !== shown) throw new ShopError({ code: -1, status: 0, reason: 'amount_changed' });
    }
    during = 'pay';
    const inAll = walletAmount && walletAmount + toCents(draft.value.walletHeld ?? 0);
    if (inAll && draft.value.leftToPay === null) noteLeft(draft.value.payAmount);
    const { jumpUrl } = await startPayment(draft.value.orderNo, payType, password, owner, inAll);
    return jumpUrl;
  } catch (error) {
    failure.value = { during, error };
    return undefined;
  } finally {
    paying.value = false;
  }
}

/** Notes what is left to pay of the placed order, and what the wallet has paid of it, in AUD. */
export function noteLeft(leftToPay: number | null, walletHeld = 0): void {
  change({ leftToPay, walletHeld });
}

async function makeOrder(owner: string, idCard?: string): Promise<void> {
  // The server would refuse it as well, after a code was spent on it.
  if (shippingType(draft.value) === '') {
    throw new ShopError({ code: -1, status: 0, reason: 'delivery_type' });
  }
  if (!draft.value.transactionCode) {
    change(await callAs<Trade>(owner, 'POST', '/pc/toTrade', orderedProducts(draft.value)));
  }
  try {
    const placed = await callAs<PlacedOrder>(owner, 'POST', '/pc/order', {
      ...orderRequest(draft.value),
      ...(idCard ? { idCard } : {}),
    });
    const { orderNo, orderAmount, payAmount, freight } = placed;
    const isAsShown = toCents(orderAmount) === productTotal.value;
    const summary = isAsShown ? draft.value.summary : await summaryOfOrder(owner, orderNo);
    // Only now, so that a retry asks again for lines that did not come.
    const parcels = freight === draft.value.freight ? draft.value.parcels : [];
    change({ orderNo, payAmount, freight, parcels, summary });
  } catch (error) {
    // The code has expired without an order, so a retry needs a new one.
    if (error instanceof ShopError && error.reason === 'order_timeout') change({ transactionCode: '' });
    throw error;
  }
  const { goodsList, promotion, promotionGoodsList } = draft.value;
  const idsOf = (lines: readonly DraftLine[]) => lines.map((line) => line.goodsId);
  if (promotion) removeOrdered(promotion.goodsActionTypeId, idsOf(promotionGoodsList));
  removeFromCarts(idsOf(goodsList));
}

async function summaryOfOrder(owner: string, orderNo: string): Promise<Summary> {
  return summaryOf(await callAs<OrderDetail>(owner, 'GET', `/pc/order/detailed/${orderNo}`));
}

restoreDraft();
document.addEventListener('shop:session', restoreDraft);
