import type { CartItem } from '../api/types';
import { priceOf } from './prices';
import { isKey, read, write } from './storage';

/** A line of a cart. */
export type Line = CartItem;

/** The two carts that the server keeps, by the names that the browser keeps them under. */
export const CARTS = ['cart', 'bulkCart'] as const;
export type CartName = (typeof CARTS)[number];

/** Which promotion goods are bought in, and until when it runs. */
export interface Promotion {
  goodsActionTypeId: number;
  goodsActionTypeName: string;
  goodsActionTypeNameEn: string;
  /** dd/MM/yyyy HH:mm in the shop's zone. */
  endTime: string;
  endTimeIso: string;
}

/** The goods of one promotion in the cart, which lives in this browser alone (SPEC 4). */
export interface PromotionGroup extends Promotion {
  shoppingCart: Line[];
}

/** The cart as the browser keeps it: `owner` is the customer's account, empty for a guest. */
interface Snapshot {
  owner: string;
  lines: Line[];
}

interface Checks {
  owner: string;
  ids: number[];
}

const NOTHING: Snapshot = { owner: '', lines: [] };

const PROMOTIONS = 'promotionCart';
const CHANGED = 'shop:cart';

function customer(): string {
  return localStorage.getItem('token') ? (localStorage.getItem('account') ?? '') : '';
}

const checksOf = (name: CartName) => `${name}.checked`;
const keepChecksOf = (name: CartName) => `${name}.keepChecks`;

/**
 * Reads a kept cart. A guest's checks are kept with the lines; a customer's belong to the tab,
 * since a new visit starts with all lines unchecked (SPEC 4).
 */
export function readSnapshot(name: CartName): Snapshot {
  const kept = read<Snapshot>(localStorage, name);
  if (!kept || !Array.isArray(kept.lines)) return NOTHING;
  if (kept.owner === '') return kept;
  if (kept.owner !== customer()) return NOTHING;
  const checks = read<Checks>(sessionStorage, checksOf(name));
  const ids = new Set(checks?.owner === kept.owner ? checks.ids : []);
  return {
    owner: kept.owner,
    lines: kept.lines.map((line) => ({ ...line, checked: ids.has(line.goodsId) })),
  };
}

/** Keeps a cart for the next page and the other tabs, and tells this page. */
export function writeSnapshot(name: CartName, snapshot: Snapshot): void {
  const ids = snapshot.lines.filter((line) => line.checked).map((line) => line.goodsId);
  write(sessionStorage, checksOf(name), { owner: snapshot.owner, ids } satisfies Checks);
  write(localStorage, name, snapshot);
  document.dispatchEvent(new Event(CHANGED));
}

/** Reads the kept goods of promotions. */
export function readPromotions(): PromotionGroup[] {
  const kept = read<PromotionGroup[]>(localStorage, PROMOTIONS);
  return Array.isArray(kept) ? kept : [];
}

/** Keeps the goods of promotions for the next page and the other tabs, and tells this page. */
export function writePromotions(groups: PromotionGroup[]): void {
  write(localStorage, PROMOTIONS, groups);
  document.dispatchEvent(new Event(CHANGED));
}

/** Calls back when any cart was changed by this page or by another tab. */
export function onSnapshotChange(callback: () => void): void {
  document.addEventListener(CHANGED, callback);
  onOtherTab(callback);
}

/** Calls back when another tab has changed a cart, or may have while this page lay in the back/forward cache. */
export function onOtherTab(callback: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === null || [...CARTS, PROMOTIONS].some((name) => isKey(event, name))) callback();
  });
  window.addEventListener('pageshow', (event) => event.persisted && callback());
}

/** Has the coming login leave the guest's checks as they are, for one who is on the way to checkout. */
export function keepChecksAtLogin(): void {
  for (const name of CARTS) write(sessionStorage, keepChecksOf(name), true);
}

/** Tells, once, whether a login is to leave the checks as they are. */
export function takeKeepChecks(name: CartName): boolean {
  const keep = read<boolean>(sessionStorage, keepChecksOf(name)) ?? false;
  write(sessionStorage, keepChecksOf(name), false);
  return keep;
}

/** Counts all units in the cart. */
export function countOf(lines: readonly Pick<Line, 'goodsAmount'>[]): number {
  return lines.reduce((sum, line) => sum + line.goodsAmount, 0);
}

/** Adds up the checked lines, in cents (SPEC 9). */
export function totalOf(lines: Line[]): number {
  return lines
    .filter((line) => line.checked)
    .reduce((sum, line) => sum + priceOf(line) * line.goodsAmount, 0);
}
