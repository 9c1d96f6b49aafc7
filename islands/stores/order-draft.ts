import type { OrderDetail } from '../api/types';
import { toCents } from '../money';
import type { Address } from './address';
import { shippingTypeFor } from './address';
import { priceOf, unitsOf } from './prices';
import type { Line, Promotion } from './snapshot';

/** `fature` has no known meaning: a draft may hold it, no screen offers it. */
export type DeliveryType = 'delivery' | 'pickup' | 'fature';

/** A line of the draft, with what the summary shows. */
export type DraftLine = Pick<
  Line,
  'goodsId' | 'goodsName' | 'goodsEnglishName' | 'goodsImgUrl' | 'goodsAmount' | 'memberPrice' | 'netWeight'
>;

/** A line of a cart on its way into the draft. */
export type ChosenLine = DraftLine & Partial<Pick<Line, 'priceTiers'>>;

export interface Pickup {
  pickupShopId: number | null;
  pickupShoName: string;
  /** dd/MM/yyyy HH:mm in the shop's time zone, one of the shop's slots. */
  pickupTime: string;
}

/** An order from the chosen products to its payment (docs/product.md#things-and-their-fields). */
export interface OrderDraft {
  /** The account of the customer whose order it will be; empty for no draft. */
  owner: string;
  goodsList: DraftLine[];
  /** The promotion that `promotionGoodsList` is bought in. */
  promotion: Promotion | null;
  promotionGoodsList: DraftLine[];
  deliveryType: DeliveryType;
  /** AUD; null until the server has answered, so that no screen can show "NaN". */
  freight: number | null;
  address: Address | null;
  pickup: Pickup;
  payType: string;
  transactionCode: string;
  orderNo: string;
  /** AUD, as the made order has it; null before. */
  payAmount: number | null;
}

/** What the order is made from on the wire (docs/wire.md#order). */
interface OrderRequest {
  transactionCode: string;
  orderGoods: { goodsId: number; goodsAmount: number }[];
  actionGoods: { actionTypeId: number; goodsId: number; goodsAmount: number }[];
  shippingType: 1 | 2 | 3;
  deliveryAddressId?: number | null;
  shopId?: number | null;
  terminalDateTime?: string;
}

const COUNTRIES_THAT_NEED_AN_AREA: ReadonlySet<string> = new Set([
  'Australia',
  'China',
  'Malaysia',
  'Taiwan',
]);

/** Makes an empty draft. */
export function emptyDraft(): OrderDraft {
  return {
    owner: '',
    goodsList: [],
    promotion: null,
    promotionGoodsList: [],
    deliveryType: 'delivery',
    freight: null,
    address: null,
    pickup: { pickupShopId: null, pickupShoName: '', pickupTime: '' },
    payType: '',
    transactionCode: '',
    orderNo: '',
    payAmount: null,
  };
}

/** Tells whether the draft has a destination (docs/product.md#checkout). */
export function deliveryComplete(draft: Pick<OrderDraft, 'deliveryType' | 'address' | 'pickup'>): boolean {
  if (draft.deliveryType === 'pickup') {
    return draft.pickup.pickupShopId !== null && draft.pickup.pickupTime !== '';
  }
  const { address } = draft;
  if (draft.deliveryType !== 'delivery' || address === null) return false;
  const { addressee, phone, addressDetails, country } = address;
  if ([addressee, phone, addressDetails, country].some((part) => part.trim() === '')) return false;
  if (!COUNTRIES_THAT_NEED_AN_AREA.has(country)) return true;
  return address.city.trim() !== '' || address.cityName.some((part) => part.trim() !== '');
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

/** Makes the draft's lines of those that its order was made with. */
export function placedLines(
  draft: OrderDraft,
  goods: OrderDetail['goods'],
): Pick<OrderDraft, 'goodsList' | 'promotionGoodsList'> {
  const asked = allLines(draft);
  const linesOf = (promoted: boolean) =>
    goods.flatMap(({ price, actionTypeId, ...line }) => {
      const wanted = asked.find(({ goodsId }) => goodsId === line.goodsId);
      if (!wanted || (actionTypeId !== null) !== promoted) return [];
      return [{ ...wanted, ...line, memberPrice: price }];
    });
  return { goodsList: linesOf(false), promotionGoodsList: linesOf(true) };
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
export function shippingType(draft: OrderDraft): OrderRequest['shippingType'] {
  return draft.deliveryType === 'pickup' || !draft.address ? 3 : shippingTypeFor(draft.address);
}

/** Makes the request that places the order of a complete draft. */
export function orderRequest(draft: OrderDraft): OrderRequest {
  const type = shippingType(draft);
  const common = {
    transactionCode: draft.transactionCode,
    ...orderedProducts(draft),
  };
  return type === 3
    ? {
        ...common,
        shippingType: type,
        shopId: draft.pickup.pickupShopId,
        terminalDateTime: draft.pickup.pickupTime,
      }
    : { ...common, shippingType: type, deliveryAddressId: draft.address?.addressId };
}

/** Tells whether two lists have the same products and amounts, in any order. */
export function sameProducts(one: readonly DraftLine[], other: readonly DraftLine[]): boolean {
  const write = (lines: readonly DraftLine[]) =>
    lines
      .map(({ goodsId, goodsAmount }) => `${goodsId}:${goodsAmount}`)
      .sort()
      .join();
  return write(one) === write(other);
}
