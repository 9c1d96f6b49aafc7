import type { CartItem, Goods } from '../api/types';
import type { Line } from './snapshot';

/** The part of Goods that a cart needs. */
export type CartGoods = Pick<
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
  | 'minAmount'
  | 'limitAmount'
>;

/** Tells how many of a goods one cart may hold: its stock, and the limit per customer where there is one. */
export function most(line: Pick<Line, 'goodsStockAmount' | 'limitAmount'>): number {
  return line.limitAmount > 0 ? Math.min(line.goodsStockAmount, line.limitAmount) : line.goodsStockAmount;
}

/** Tells whether a line can go to checkout at all. */
export function canBuy(line: Pick<Line, 'available' | 'goodsStockAmount'>): boolean {
  return line.available && line.goodsStockAmount > 0;
}

/** Makes the line that a goods becomes when it is put into the cart: checked, since the customer wants it now. */
export function lineOf(goods: CartGoods, amount: number): Line {
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
    available: true,
    minAmount: goods.minAmount,
    limitAmount: goods.limitAmount,
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
        minAmount: line?.minAmount ?? 1,
        limitAmount: line?.limitAmount ?? 0,
      };
    });
  return [...waiting, ...lines];
}
