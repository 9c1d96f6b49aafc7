import type { Address } from '../addresses/address';

/** `fature` has no known meaning: a draft may hold it, no screen offers it. */
export type DeliveryType = 'delivery' | 'pickup' | 'fature';

/** A line the order will hold, with what the summary shows of it. */
export interface DraftLine {
  goodsId: number;
  goodsName: string;
  goodsEnglishName: string;
  goodsImgUrl: string | null;
  goodsAmount: number;
  /** AUD, as the server gave it. */
  memberPrice: number;
}

export interface Pickup {
  pickupShopId: number | null;
  pickupShoName: string;
  /** dd/MM/yyyy HH:mm in the shop's time zone, one of the shop's slots. */
  pickupTime: string;
}

export interface PayType {
  payName: string;
  payCode: string;
  payType: string;
  img: string | null;
}

/** The order being made, from the chosen goods to its payment (SPEC 3, "Order draft"). */
export interface OrderDraft {
  goodsList: DraftLine[];
  deliveryType: DeliveryType;
  /** AUD; null until the server has answered, so that a screen can never show "NaN". */
  freight: number | null;
  address: Address | null;
  pickup: Pickup;
  payType: string;
  transactionCode: string;
  orderNo: string;
  /** AUD, from the made order. */
  payAmount: number | null;
}

const COUNTRIES_THAT_NEED_AN_AREA: ReadonlySet<string> = new Set([
  'Australia',
  'China',
  'Malaysia',
  'Taiwan',
]);

/** Make an empty draft. */
export function emptyDraft(): OrderDraft {
  return {
    goodsList: [],
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

/** Say whether the draft knows where its goods go (SPEC 5, "Delivery info complete"). */
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
