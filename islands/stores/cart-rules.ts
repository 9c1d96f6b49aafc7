import type { CartItem, Product, ProductDetail } from '../api/types';
import { t } from '../i18n';
import type { Line } from './snapshot';

/** The fields of a product that a cart needs; only ProductDetail and the bulk page have cartons and price tiers. */
export type CartProduct = Partial<Pick<ProductDetail, 'cartonSize' | 'priceTiers'>> &
  Pick<Line, 'wasPrice'> &
  Pick<
    Product,
    | 'goodsId'
    | 'goodsName'
    | 'goodsEnglishName'
    | 'goodsImgUrl'
    | 'goodsStockAmount'
    | 'memberPrice'
    | 'isSelf'
    | 'isAdvance'
    | 'expectedDate'
    | 'netWeight'
    | 'storage'
    | 'pack'
    | 'packZh'
    | 'unitPrice'
    | 'unitPriceMeasure'
    | 'minAmount'
    | 'limitAmount'
  >;

/** Gives the largest amount of a line: within stock and limit, in whole cartons if it is bought by the carton. */
export function maxAmount(
  line: Pick<Line, 'goodsStockAmount' | 'limitAmount'> & Partial<Pick<Line, 'cartonSize'>>,
): number {
  const { goodsStockAmount, limitAmount, cartonSize = 1 } = line;
  const units = limitAmount > 0 ? Math.min(goodsStockAmount, limitAmount) : goodsStockAmount;
  return Math.floor(units / cartonSize) * cartonSize;
}

/** Shows how many units of a line can be bought. */
export function atMost(
  line: Pick<Line, 'goodsStockAmount' | 'limitAmount' | 'isAdvance'> & Partial<Pick<Line, 'cartonSize'>>,
): string {
  const count = maxAmount(line);
  if (line.limitAmount > 0 && line.limitAmount < line.goodsStockAmount) return t('cart.limitMost', { count });
  return line.isAdvance === '1' ? t('cart.advanceMost', { count }) : t('cart.stockMost', { count });
}

/** Rounds an amount up to whole cartons. */
export function wholeCartons(amount: number, cartonSize: number): number {
  return Math.ceil(amount / cartonSize) * cartonSize;
}

/** A changed amount, and why it is another one than asked for: a key of the error catalogue (docs/wire.md#cart). */
export interface AmountChange {
  amount: number;
  reason?: 'amount_above_limit' | 'amount_rounded_up' | 'stock_insufficient';
}

/**
 * Gives a line's amount after a change, by the server's rules; 0 means that the line goes (docs/product.md#carts).
 * `changed`: a positive number adds, zero or a negative one subtracts. Fewer than the minimum are none; more than
 * can be bought are capped. Where nothing can be bought the amount stays.
 */
export function changeAmount(
  line: Pick<
    Line,
    'goodsAmount' | 'goodsStockAmount' | 'limitAmount' | 'minAmount' | 'cartonSize' | 'available'
  >,
  changed: number,
): AmountChange {
  const wanted = line.goodsAmount + changed;
  const whole = wholeCartons(wanted, line.cartonSize);
  if (wanted <= 0 || (changed <= 0 && whole < line.minAmount)) return { amount: 0 };
  const limit = line.available ? maxAmount(line) : 0;
  if (limit < line.minAmount) return { amount: line.goodsAmount, reason: 'stock_insufficient' };
  const amount = Math.min(Math.max(whole, line.minAmount), limit);
  if (amount === wanted) return { amount };
  return { amount, reason: amount < wanted ? 'amount_above_limit' : 'amount_rounded_up' };
}

/** Shows whether a line can go to checkout. */
export function canBuy(line: Pick<Line, 'available' | 'goodsStockAmount'>): boolean {
  return line.available && line.goodsStockAmount > 0;
}

/**
 * Makes a checked cart line of a product.
 * `inCartons`: the cart has whole cartons only.
 */
export function lineOf(product: CartProduct, amount: number, inCartons = false): Line {
  const cartonSize = (inCartons && product.cartonSize) || 1;
  return {
    goodsId: product.goodsId,
    goodsName: product.goodsName,
    goodsEnglishName: product.goodsEnglishName,
    goodsImgUrl: product.goodsImgUrl,
    goodsAmount: amount,
    goodsStockAmount: product.goodsStockAmount,
    memberPrice: product.memberPrice,
    wasPrice: product.wasPrice,
    isSelf: product.isSelf,
    isAdvance: product.isAdvance,
    expectedDate: product.expectedDate,
    checked: true,
    netWeight: product.netWeight,
    storage: product.storage,
    pack: product.pack,
    packZh: product.packZh,
    unitPrice: product.unitPrice,
    unitPriceMeasure: product.unitPriceMeasure,
    available: true,
    minAmount: wholeCartons(product.minAmount, cartonSize),
    limitAmount: product.limitAmount,
    cartonSize,
    priceTiers: product.priceTiers ?? [],
  };
}

/**
 * Merges the server's cart with the shown one. Order and facts are the server's, checks are the
 * browser's; lines in `unsettled` keep the requested amount, and their place while the server does not have them yet.
 */
export function reconcile(
  server: readonly CartItem[],
  shown: readonly Line[],
  unsettled: ReadonlySet<number>,
): Line[] {
  const byId = new Map(shown.map((line) => [line.goodsId, line]));
  const known = new Set(server.map((item) => item.goodsId));
  const merged: Line[] = server
    .filter((item) => byId.has(item.goodsId) || !unsettled.has(item.goodsId))
    .map((item) => {
      const line = byId.get(item.goodsId);
      return {
        ...item,
        goodsAmount: line && unsettled.has(item.goodsId) ? line.goodsAmount : item.goodsAmount,
        checked: (line?.checked ?? false) && canBuy(item),
      };
    });
  for (const [place, line] of shown.entries()) {
    if (unsettled.has(line.goodsId) && !known.has(line.goodsId)) merged.splice(place, 0, line);
  }
  return merged;
}
