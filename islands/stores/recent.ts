/*
 * The products whose pages were seen in this browser, which no server knows (docs/product.md#recently-viewed).
 * They are the customer's: a logout removes them.
 */
import { read, remove, write } from './storage';

const KEY = 'recent';
const MAX_SEEN = 20;
const SEEN_FOR_MS = 43_200 * 60_000;

interface Seen {
  goodsId: number;
  /** When, in milliseconds. */
  at: number;
}

function seen(): Seen[] {
  const stored = read<Seen[]>(localStorage, KEY);
  const since = Date.now() - SEEN_FOR_MS;
  return Array.isArray(stored) ? stored.filter(({ goodsId, at }) => goodsId > 0 && at > since) : [];
}

/** Gives the ids of the products that were seen within 30 days, the last one first. */
export function recentProducts(): number[] {
  return seen().map(({ goodsId }) => goodsId);
}

/** Notes that a product is seen now; of more than twenty the oldest goes. */
export function noteSeen(goodsId: number): void {
  const others = seen().filter((each) => each.goodsId !== goodsId);
  write(localStorage, KEY, [{ goodsId, at: Date.now() }, ...others].slice(0, MAX_SEEN));
}

/** Forgets what was seen. */
export function forgetSeen(): void {
  remove(localStorage, KEY);
}
