import type { PayType, Preview } from '../api/types';
import { toCents } from '../money';
import type { Address } from './address';
import { needsArea, shippingTypeFor } from './address';
import type { Parcel, Summary, SummaryLine } from './preview';
import { priceOf, unitsOf } from './prices';
import type { Line, Promotion } from './snapshot';

/** `fature` has no known meaning: a draft may hold it, no screen offers it, and no order is made of it. */
export type DeliveryType = 'delivery' | 'pickup' | 'fature';

/** A line of the draft, with what the summary shows. */
export type DraftLine = Pick<
  Line,
  'goodsId' | 'goodsName' | 'goodsEnglishName' | 'goodsImgUrl' | 'goodsAmount' | 'memberPrice' | 'netWeight'
>;

/** A line of a cart on its way into the draft. */
export type ChosenLine = DraftLine & Partial<Pick<Line, 'priceTiers'>>;

/** A pay type as the server offers it; `check`: the customer has chosen it. */
export type ChosenPayType = Pick<PayType, 'payName' | 'payCode' | 'payType' | 'img'> & { check: boolean };

export type SoldOutWish = 'replace' | 'refund' | 'ask';

export interface Pickup {
  pickupShopId: number | null;
  pickupShoName: string;
  /** dd/MM/yyyy HH:mm in the shop's time zone, one of the shop's slots. */
  pickupTime: string;
}

/** An order from the chosen products to its payment (docs/product.md#things-and-their-fields). */
export interface OrderDraft {
  /** The account of the customer whose order it will be; empty for a guest's, and for none. */
  owner: string;
  /** The step: 0 delivery, 1 payment, once the delivery step was left for it. */
  active: 0 | 1;
  goodsList: DraftLine[];
  /** The promotion that `promotionGoodsList` is bought in. */
  promotion: Promotion | null;
  promotionGoodsList: DraftLine[];
  deliveryType: DeliveryType;
  /** AUD; null until the server has answered, so that no screen can show "NaN"; 0 in a draft that was cleaned. */
  freight: number | null;
  /** What the freight pays for. */
  parcels: Parcel[];
  /** From which amount of the products each kind of parcel is free. */
  freeFrom: Preview['freeFrom'];
  /** The lines and sums of the order by the server; null until it has answered. */
  summary: Summary | null;
  voucherCode: string;
  /** How many points pay for it. */
  points: number;
  /** A guest's has a place alone (`addressAt`). */
  address: Address | null;
  /** An address that is being written, or changed, and not saved yet. */
  unfinished: Address | null;
  /** The beginning of the van's window, dd/MM/yyyy HH:mm in the shop's time zone; empty for none. */
  deliverySlot: string;
  /** When the window ends, as in the offer. */
  deliveryUntil: string;
  leaveAtDoor: boolean;
  pickup: Pickup;
  /** The customer's message to the shop or the driver. */
  remark: string;
  /** What to do where something is sold out; empty for the shop's own way. */
  soldOutWish: SoldOutWish | '';
  payType: ChosenPayType;
  transactionCode: string;
  orderNo: string;
  /** AUD, as the made order has it; null before. */
  payAmount: number | null;
  /** AUD that are left to pay of it, once a part of it may have been paid; null before. */
  leftToPay: number | null;
  /** AUD that the wallet has paid of it, as far as it was asked; not in drafts of earlier releases. */
  walletHeld?: number;
}

/** 1 delivery abroad, 2 in Australia, 3 pick-up; empty: no way to send it (docs/product.md#order-statuses). */
type ShippingType = 1 | 2 | 3 | '';

/** What the order is made from on the wire (docs/wire.md#order). */
interface OrderRequest {
  transactionCode: string;
  orderGoods: { goodsId: number; goodsAmount: number }[];
  actionGoods: { actionTypeId: number; goodsId: number; goodsAmount: number }[];
  shippingType: ShippingType;
  voucherCode?: string;
  points?: number;
  remark?: string;
  soldOutWish?: SoldOutWish;
  deliverySlot?: string;
  leaveAtDoor?: boolean;
  deliveryAddressId?: number | null;
  shopId?: number | null;
  terminalDateTime?: string;
}

/** Makes an empty draft. */
export function emptyDraft(): OrderDraft {
  return {
    owner: '',
    active: 0,
    goodsList: [],
    promotion: null,
    promotionGoodsList: [],
    deliveryType: 'delivery',
    freight: null,
    parcels: [],
    freeFrom: [],
    summary: null,
    voucherCode: '',
    points: 0,
    address: null,
    unfinished: null,
    deliverySlot: '',
    deliveryUntil: '',
    leaveAtDoor: false,
    pickup: { pickupShopId: null, pickupShoName: '', pickupTime: '' },
    remark: '',
    soldOutWish: '',
    payType: { payName: '', payCode: '', payType: '', img: '', check: false },
    transactionCode: '',
    orderNo: '',
    payAmount: null,
    leftToPay: null,
  };
}

/** Shows whether the draft has a destination (docs/product.md#checkout). */
export function deliveryComplete(draft: Pick<OrderDraft, 'deliveryType' | 'address' | 'pickup'>): boolean {
  if (draft.deliveryType === 'pickup') {
    return draft.pickup.pickupShopId !== null && draft.pickup.pickupTime !== '';
  }
  const { address } = draft;
  if (draft.deliveryType !== 'delivery' || address === null) return false;
  const { addressee, phone, addressDetails, country } = address;
  if ([addressee, phone, addressDetails, country].some((part) => part.trim() === '')) return false;
  if (!needsArea(address)) return true;
  return [address.city, address.cityName[1] ?? ''].some((part) => part.trim() !== '');
}

/** Makes draft lines of cart lines, of those bought `together`; a product in two carts becomes one line. */
export function draftLines(lines: readonly ChosenLine[], together = lines): DraftLine[] {
  const units = unitsOf(together);
  const united = new Map<number, ChosenLine>();
  for (const line of lines) {
    const other = united.get(line.goodsId);
    const goodsAmount = line.goodsAmount + (other?.goodsAmount ?? 0);
    const priceTiers = line.priceTiers?.length ? line.priceTiers : other?.priceTiers;
    united.set(line.goodsId, { ...line, goodsAmount, priceTiers });
  }
  return [...united.values()].map((line) => ({
    goodsId: line.goodsId,
    goodsName: line.goodsName,
    goodsEnglishName: line.goodsEnglishName,
    goodsImgUrl: line.goodsImgUrl,
    goodsAmount: line.goodsAmount,
    memberPrice: priceOf(line, units[line.goodsId]) / 100,
    netWeight: line.netWeight,
  }));
}

/** Gives all that the draft buys, at whichever price. */
export function allLines(draft: OrderDraft): DraftLine[] {
  return [...draft.promotionGoodsList, ...draft.goodsList];
}

/** Adds up lines, in cents. */
export function sumOf(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, line) => sum + toCents(line.memberPrice) * line.goodsAmount, 0);
}

/** Gives the lines of a draft as they are shown: the server's, until it has answered those of the carts. */
export function shownLines(draft: OrderDraft): SummaryLine[] {
  if (draft.summary) return draft.summary.goods;
  const promoted = new Set(draft.promotionGoodsList);
  return allLines(draft).map((line) => ({
    goodsId: line.goodsId,
    goodsName: line.goodsName,
    goodsEnglishName: line.goodsEnglishName,
    goodsImgUrl: line.goodsImgUrl,
    goodsAmount: line.goodsAmount,
    price: line.memberPrice,
    discount: 0,
    lineAmount: (toCents(line.memberPrice) * line.goodsAmount) / 100,
    actionTypeId: promoted.has(line) ? (draft.promotion?.goodsActionTypeId ?? null) : null,
    isGift: false,
    why: '',
    whyEn: '',
  }));
}

/** Gives all that the draft sends, as the calls take it. */
export function sentProducts(draft: OrderDraft): OrderRequest['orderGoods'] {
  return asked(allLines(draft));
}

/** Gives the draft's lines for a request, those of the promotion apart. */
export function orderedProducts(draft: OrderDraft): Pick<OrderRequest, 'orderGoods' | 'actionGoods'> {
  const actionTypeId = draft.promotion?.goodsActionTypeId;
  const promoted = actionTypeId === undefined ? [] : asked(draft.promotionGoodsList);
  return {
    orderGoods: asked(draft.goodsList),
    actionGoods: promoted.map((line) => ({ actionTypeId: actionTypeId ?? 0, ...line })),
  };
}

function asked(lines: readonly DraftLine[]): OrderRequest['orderGoods'] {
  return lines.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount }));
}

/** Gives the draft's shipping type: delivery by the address's country, pick-up 3 (docs/product.md#order-statuses). */
export function shippingType(draft: Pick<OrderDraft, 'deliveryType' | 'address'>): ShippingType {
  if (draft.deliveryType === 'pickup') return 3;
  return draft.deliveryType === 'delivery' && draft.address ? shippingTypeFor(draft.address) : '';
}

/** Makes the request that places the order of a complete draft. */
export function orderRequest(draft: OrderDraft): OrderRequest {
  const type = shippingType(draft);
  const common = {
    transactionCode: draft.transactionCode,
    ...orderedProducts(draft),
    ...(draft.voucherCode ? { voucherCode: draft.voucherCode } : {}),
    ...(draft.points ? { points: draft.points } : {}),
    ...(draft.remark ? { remark: draft.remark } : {}),
    ...(draft.soldOutWish ? { soldOutWish: draft.soldOutWish } : {}),
  };
  return type === 3
    ? {
        ...common,
        shippingType: type,
        shopId: draft.pickup.pickupShopId,
        terminalDateTime: draft.pickup.pickupTime,
      }
    : {
        ...common,
        shippingType: type,
        deliveryAddressId: draft.address?.addressId,
        ...(draft.deliverySlot ? { deliverySlot: draft.deliverySlot } : {}),
        ...(draft.leaveAtDoor ? { leaveAtDoor: true } : {}),
      };
}

/** Shows whether two lists have the same products and amounts, in any order. */
export function sameProducts(one: readonly DraftLine[], other: readonly DraftLine[]): boolean {
  const write = (lines: readonly DraftLine[]) =>
    lines
      .map(({ goodsId, goodsAmount }) => `${goodsId}:${goodsAmount}`)
      .sort()
      .join();
  return write(one) === write(other);
}
