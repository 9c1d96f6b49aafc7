import type { CartItem, Goods, GoodsDetail } from '../api/types';
import type { Line } from './snapshot';

/** The part of Goods that a cart needs; only GoodsDetail and the bulk page tell cartons and their prices. */
export type CartGoods = Partial<Pick<GoodsDetail, 'cartonSize' | 'priceTiers'>> &
  Pick<
    Goods,
    | 'goodsId'
    | 'goodsName'
    | 'goodsEnglishName'
    | 'goodsImgUrl'
    | 'goodsStockAmount'
    | 'memberPrice'
    | 'isSelf'
    | 'isAdvance'
    | 'netWeight'
    | 'storage'
    | 'pack'
    | 'packZh'
    | 'unitPrice'
    | 'unitPriceMeasure'
    | 'minAmount'
    | 'limitAmount'
  >;

/** Tells how many of a goods one cart may hold: its stock and its limit, in whole cartons where it steps by them. */
export function most(
  line: Pick<Line, 'goodsStockAmount' | 'limitAmount'> & Partial<Pick<Line, 'cartonSize'>>,
): number {
  const { goodsStockAmount, limitAmount, cartonSize = 1 } = line;
  const units = limitAmount > 0 ? Math.min(goodsStockAmount, limitAmount) : goodsStockAmount;
  return Math.floor(units / cartonSize) * cartonSize;
}

/** Rounds an amount up to whole cartons. */
export function wholeCartons(amount: number, cartonSize: number): number {
  return Math.ceil(amount / cartonSize) * cartonSize;
}

/** Tells whether a line can go to checkout at all. */
export function canBuy(line: Pick<Line, 'available' | 'goodsStockAmount'>): boolean {
  return line.available && line.goodsStockAmount > 0;
}

/**
 * Makes the line that a goods becomes when it is put into a cart: checked, since the customer wants it now.
 * `inCartons`: the cart holds whole cartons.
 */
export function lineOf(goods: CartGoods, amount: number, inCartons = false): Line {
  const cartonSize = (inCartons && goods.cartonSize) || 1;
  return {
    goodsId: goods.goodsId,
    goodsName: goods.goodsName,
    goodsEnglishName: goods.goodsEnglishName,
    goodsImgUrl: goods.goodsImgUrl,
    goodsAmount: amount,
    goodsStockAmount: goods.goodsStockAmount,
    memberPrice: goods.memberPrice,
    isSelf: goods.isSelf,
    isAdvance: goods.isAdvance,
    checked: true,
    netWeight: goods.netWeight,
    storage: goods.storage,
    pack: goods.pack,
    packZh: goods.packZh,
    unitPrice: goods.unitPrice,
    unitPriceMeasure: goods.unitPriceMeasure,
    available: true,
    minAmount: wholeCartons(goods.minAmount, cartonSize),
    limitAmount: goods.limitAmount,
    cartonSize,
    priceTiers: goods.priceTiers ?? [],
  };
}

/**
 * Joins the server's cart with what the browser shows. The server's order and facts hold; the checks are the
 * client's; lines in `unsettled` keep the amount the customer has asked for, even when the server has none yet.
 */
export function reconcile(server: CartItem[], shown: Line[], unsettled: ReadonlySet<number>): Line[] {
  const byId = new Map(shown.map((line) => [line.goodsId, line]));
  const known = new Set(server.map((item) => item.goodsId));
  const waiting = shown.filter((line) => unsettled.has(line.goodsId) && !known.has(line.goodsId));
  const lines = server
    .filter((item) => byId.has(item.goodsId) || !unsettled.has(item.goodsId))
    .map((item) => {
      const line = byId.get(item.goodsId);
      return {
        ...item,
        goodsAmount: line && unsettled.has(item.goodsId) ? line.goodsAmount : item.goodsAmount,
        checked: (line?.checked ?? false) && canBuy(item),
      };
    });
  return [...waiting, ...lines];
}
