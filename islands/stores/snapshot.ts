import type { CartItem } from '../api/types';
import { toCents } from '../money';
import { isKey, read, write } from './storage';

/** A line of the cart: the wire's CartItem and two limits that only Goods carries. */
export interface Line extends CartItem {
  minAmount: number;
  limitAmount: number;
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

const CART = 'cart';
const CHECKS = 'cart.checked';
const KEEP_CHECKS = 'cart.keepChecks';
const CHANGED = 'shop:cart';

function customer(): string {
  return localStorage.getItem('token') ? (localStorage.getItem('account') ?? '') : '';
}

/**
 * Reads the kept cart. A guest's checks are kept with the lines; a customer's belong to the tab,
 * since a new visit starts with all lines unchecked (SPEC 4).
 */
export function readSnapshot(): Snapshot {
  const kept = read<Snapshot>(localStorage, CART);
  if (!kept || !Array.isArray(kept.lines)) return NOTHING;
  if (kept.owner === '') return kept;
  if (kept.owner !== customer()) return NOTHING;
  const checks = read<Checks>(sessionStorage, CHECKS);
  const ids = new Set(checks?.owner === kept.owner ? checks.ids : []);
  return {
    owner: kept.owner,
    lines: kept.lines.map((line) => ({ ...line, checked: ids.has(line.goodsId) })),
  };
}

/** Keeps the cart for the next page and the other tabs, and tells this page. */
export function writeSnapshot(snapshot: Snapshot): void {
  const ids = snapshot.lines.filter((line) => line.checked).map((line) => line.goodsId);
  write(sessionStorage, CHECKS, { owner: snapshot.owner, ids } satisfies Checks);
  write(localStorage, CART, snapshot);
  document.dispatchEvent(new Event(CHANGED));
}

/** Calls back when the cart was changed by this page or by another tab. */
export function onSnapshotChange(callback: () => void): void {
  document.addEventListener(CHANGED, callback);
  onOtherTab(callback);
}

/** Calls back when another tab has changed the cart, or may have while this page lay in the back/forward cache. */
export function onOtherTab(callback: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === null || isKey(event, CART)) callback();
  });
  window.addEventListener('pageshow', (event) => event.persisted && callback());
}

/** Has the coming login leave the guest's checks as they are, for one who is on the way to checkout. */
export function keepChecksAtLogin(): void {
  write(sessionStorage, KEEP_CHECKS, true);
}

/** Tells, once, whether a login is to leave the checks as they are. */
export function takeKeepChecks(): boolean {
  const keep = read<boolean>(sessionStorage, KEEP_CHECKS) ?? false;
  write(sessionStorage, KEEP_CHECKS, false);
  return keep;
}

/** Counts all units in the cart. */
export function countOf(lines: Line[]): number {
  return lines.reduce((sum, line) => sum + line.goodsAmount, 0);
}

/** Adds up the checked lines, in cents (SPEC 9). */
export function totalOf(lines: Line[]): number {
  return lines
    .filter((line) => line.checked)
    .reduce((sum, line) => sum + toCents(line.memberPrice) * line.goodsAmount, 0);
}
