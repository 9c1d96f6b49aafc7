import type { CartItem } from '../api/types';
import { serverNow } from '../clock';
import { priceOf, unitsOf } from './prices';
import { customer, EXPIRES_AFTER_MINUTES, isKey, read, remove, write } from './storage';

/** A line of a cart; `wasPrice`: in a promotion the higher price without it, AUD. */
export type Line = CartItem & { wasPrice?: number | null };

/** The two carts that the server stores, by their keys in the browser. */
export const CARTS = ['cart', 'bulkCart'] as const;
export type CartName = (typeof CARTS)[number];

/** A promotion of the cart, with its end. */
export interface Promotion {
  goodsActionTypeId: number;
  goodsActionTypeName: string;
  goodsActionTypeNameEn: string;
  /** dd/MM/yyyy HH:mm in the shop's zone. */
  endTime: string;
  endTimeIso: string;
  /** What it does to prices, with a text in Chinese and English; missing in a cart from an earlier release. */
  kind?: string;
  rule?: string;
  ruleEn?: string;
  /** Of so many units bought so many more are free, in a promotion that does that. */
  buyUnits?: number | null;
  freeUnits?: number | null;
}

/** Shows whether a promotion takes something off several units together: what they cost only the server knows. */
export function savesTogether({ kind }: Promotion): boolean {
  return kind === 'buy_get' || kind === 'bundle';
}

/** A group of the promotion cart, which is stored in this browser only (docs/product.md#carts). */
export interface PromotionGroup extends Promotion {
  shoppingCart: Line[];
}

/** A cart as the browser stores it: `owner` is the customer's account, empty for a guest. */
export interface Snapshot {
  owner: string;
  lines: readonly Line[];
}

interface Checks {
  owner: string;
  ids: number[];
}

const NOTHING: Snapshot = { owner: '', lines: [] };

const PROMOTIONS = 'promotionCart';
const CHANGED = 'shop:cart';

const checksOf = (name: CartName) => `${name}.checked`;

/**
 * Reads a stored cart. A guest's checks are stored with the lines; a customer's belong to the tab, since a new visit
 * starts with all lines unchecked. What the tab's guest checked stays so, also where another tab has logged them in
 * (docs/product.md#carts).
 */
export function readSnapshot(name: CartName): Snapshot {
  const stored = read<Snapshot>(localStorage, name, EXPIRES_AFTER_MINUTES);
  if (!stored || !Array.isArray(stored.lines)) return NOTHING;
  if (stored.owner === '') return stored;
  if (stored.owner !== customer()) return NOTHING;
  const checks = read<Checks>(sessionStorage, checksOf(name));
  const ids = new Set(checks && ['', stored.owner].includes(checks.owner) ? checks.ids : []);
  return {
    owner: stored.owner,
    lines: stored.lines.map((line) => ({ ...line, checked: ids.has(line.goodsId) })),
  };
}

/** Stores a cart and notifies this page; gives whether the browser's storage took it. */
export function writeSnapshot(name: CartName, snapshot: Snapshot): boolean {
  const ids = snapshot.lines.filter((line) => line.checked).map((line) => line.goodsId);
  write(sessionStorage, checksOf(name), { owner: snapshot.owner, ids } satisfies Checks);
  const isStored = write(localStorage, name, snapshot);
  document.dispatchEvent(new Event(CHANGED));
  return isStored;
}

/** Removes a cart from the browser's storage and notifies this page. */
export function removeSnapshot(name: CartName): void {
  remove(sessionStorage, checksOf(name));
  remove(localStorage, name);
  document.dispatchEvent(new Event(CHANGED));
}

/** Reads the stored promotion cart. */
export function readPromotions(): PromotionGroup[] {
  const stored = read<PromotionGroup[]>(localStorage, PROMOTIONS);
  return Array.isArray(stored) ? stored : [];
}

/** Reads the groups of the stored promotion cart whose promotions have not ended, by the server's time. */
export function readRunningPromotions(): PromotionGroup[] {
  return readPromotions().filter(({ endTimeIso }) => serverNow() < Date.parse(endTimeIso));
}

/** Stores the promotion cart, an empty one by removing it, and notifies this page; gives whether it was stored. */
export function writePromotions(groups: PromotionGroup[]): boolean {
  if (groups.length === 0) remove(localStorage, PROMOTIONS);
  const isStored = groups.length === 0 || write(localStorage, PROMOTIONS, groups);
  document.dispatchEvent(new Event(CHANGED));
  return isStored;
}

/** Calls back when this page or another tab has changed a cart. */
export function onSnapshotChange(callback: () => void): void {
  document.addEventListener(CHANGED, callback);
  onOtherTabChange(callback);
}

/** Calls back when another tab has changed a cart, or may have while this page was in the back/forward cache. */
export function onOtherTabChange(callback: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === null || [...CARTS, PROMOTIONS].some((name) => isKey(event, name))) callback();
  });
  window.addEventListener('pageshow', (event) => event.persisted && callback());
}

/** Counts the units of lines. */
export function countOf(lines: readonly Pick<Line, 'goodsAmount'>[]): number {
  return lines.reduce((sum, line) => sum + line.goodsAmount, 0);
}

/** Adds up the checked lines, in cents, of those that are bought `together` (docs/product.md#carts). */
export function totalOf(lines: readonly Line[], together = lines): number {
  const checked = (line: Line) => line.checked;
  const units = unitsOf(together.filter(checked));
  return lines
    .filter(checked)
    .reduce((sum, line) => sum + priceOf(line, units[line.goodsId]) * line.goodsAmount, 0);
}
