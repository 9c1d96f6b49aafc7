import type { CartItem } from '../api/types';
import { toCents } from '../money';

/** What the price of a line depends on. */
export type Priced = Pick<CartItem, 'memberPrice' | 'goodsAmount'> & Partial<Pick<CartItem, 'priceTiers'>>;

/** Gives the price of one unit at the line's amount, in cents. */
export function priceOf({ memberPrice, goodsAmount, priceTiers = [] }: Priced): number {
  const reached = priceTiers.filter(({ fromAmount }) => fromAmount <= goodsAmount);
  return toCents(reached[reached.length - 1]?.price ?? memberPrice);
}
