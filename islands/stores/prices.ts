import type { CartItem } from '../api/types';
import { toCents } from '../money';

/** What the price of a line depends on. */
export type Priced = Pick<CartItem, 'memberPrice' | 'goodsAmount'> & Partial<Pick<CartItem, 'priceTiers'>>;

/** Counts the units of each product in lines that are bought together, by its id. */
export function unitsOf(
  lines: readonly Pick<CartItem, 'goodsId' | 'goodsAmount'>[],
): Partial<Record<number, number>> {
  const units: Partial<Record<number, number>> = {};
  for (const { goodsId, goodsAmount } of lines) units[goodsId] = (units[goodsId] ?? 0) + goodsAmount;
  return units;
}

/** Gives the price of one unit, in cents, where `units` of its product are bought together. */
export function priceOf({ memberPrice, goodsAmount, priceTiers = [] }: Priced, units = goodsAmount): number {
  const reached = priceTiers.filter(({ fromAmount }) => fromAmount <= units);
  return toCents(reached[reached.length - 1]?.price ?? memberPrice);
}
