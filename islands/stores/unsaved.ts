/*
 * What a page that is left knows alone, kept in the tab's session storage for the next one (docs/product.md#carts):
 * changes that the server may not have got, and carts that local storage did not take.
 */
import type { Line, PromotionGroup } from './snapshot';
import { read, remove, write } from './storage';

/** A change that was still to be confirmed: the amount that the server had, and the line as it was wanted, if any. */
export interface Unsent {
  goodsId: number;
  known: number;
  line: Line | null;
}

/** What is kept of one cart; `lines` or `groups` are all of it, where local storage did not take them. */
export interface Unsaved {
  /** The customer's account, empty for a guest. */
  owner: string;
  unsent?: readonly Unsent[];
  lines?: readonly Line[];
  groups?: PromotionGroup[];
}

const keyOf = (name: string) => `${name}.unsaved`;

/** Keeps what only this page knows of a cart; nothing is kept of nothing. */
export function keepUnsaved(name: string, unsaved: Unsaved): void {
  const { unsent = [], lines, groups } = unsaved;
  if (unsent.length || lines || groups) write(sessionStorage, keyOf(name), unsaved);
}

/** Takes what the last page of this tab has kept of a cart; nothing of another customer's. */
export function takeUnsaved(name: string, owner: string): Unsaved | null {
  const unsaved = read<Unsaved>(sessionStorage, keyOf(name));
  remove(sessionStorage, keyOf(name));
  return unsaved?.owner === owner ? unsaved : null;
}
