/*
 * The words that were searched in this browser, which no server knows (docs/product.md#recent-and-popular-searches).
 * They are the customer's: a logout removes them.
 */
import { read, remove, write } from './storage';

const KEY = 'searches';
const MAX_WORDS = 6;

/** Gives the words that were searched within 30 days, the last one first. */
export function recentSearches(): string[] {
  const stored = read<string[]>(localStorage, KEY);
  return Array.isArray(stored) ? stored.filter((word) => word && typeof word === 'string') : [];
}

/** Notes that a word is searched now; of more than six the oldest goes. */
export function noteSearch(word: string): void {
  const others = recentSearches().filter((each) => each !== word);
  write(localStorage, KEY, [word, ...others].slice(0, MAX_WORDS));
}

/** Forgets what was searched. */
export function forgetSearches(): void {
  remove(localStorage, KEY);
}
