/*
 * What the shop keeps in the browser (docs/product.md#local-cache). What outlives the tab expires; the time is stored
 * next to the value, so that an earlier release still reads it.
 */

/** Logout removes everything stored under this prefix. */
const PERSONAL = 'shop.';
/** What is stored under this one is the browser's, for every customer. */
const SHARED = 'shared.';
const EXPIRES = '.expires';
/** Thirty days. */
export const EXPIRES_AFTER_MINUTES = 43_200;

/** Gives the account that all tabs have in common; empty for a guest. */
export function customer(): string {
  return localStorage.getItem('token') ? (localStorage.getItem('account') ?? '') : '';
}

/** For whom this page stores, as far as it has heard of the other tabs. */
let owner = customer();

/** Notes who is logged in by now, before anything is stored for them. */
export function storeFor(account: string): void {
  owner = account;
}

/**
 * Reads a JSON value; null when it is missing, invalid or has expired, which removes it. With `sliding` minutes it
 * expires so long after this reading.
 */
export function read<T>(area: Storage, key: string, sliding?: number): T | null {
  return readAt(area, PERSONAL + key, sliding);
}

/** Reads a JSON value that no logout removes, as `read` does. */
export function readShared<T>(area: Storage, key: string, sliding?: number): T | null {
  return readAt(area, SHARED + key, sliding);
}

function readAt<T>(area: Storage, key: string, sliding?: number): T | null {
  const text = area.getItem(key);
  if (text === null) return null;
  const end = area.getItem(key + EXPIRES);
  if (end !== null && Number(end) <= Date.now()) {
    removeAt(area, key);
    return null;
  }
  try {
    // A value of an earlier release has no end yet.
    if (sliding || end === null) renew(area, key, sliding);
    return JSON.parse(text) as T | null;
  } catch {
    return null;
  }
}

function renew(area: Storage, key: string, minutes = EXPIRES_AFTER_MINUTES): void {
  // Session storage ends with its tab.
  if (area === localStorage) area.setItem(key + EXPIRES, String(Date.now() + minutes * 60_000));
}

/**
 * Writes a JSON value that expires after some minutes; gives whether the storage took it: a full or forbidden
 * one is
 * logged. Nothing is stored of a customer whom another tab has logged out.
 */
export function write(area: Storage, key: string, value: unknown, minutes?: number): boolean {
  if (owner && owner !== customer()) return false;
  return writeAt(area, PERSONAL + key, value, minutes);
}

/** Writes a JSON value that no logout removes, as `write` does. */
export function writeShared(area: Storage, key: string, value: unknown, minutes?: number): boolean {
  return writeAt(area, SHARED + key, value, minutes);
}

function writeAt(area: Storage, key: string, value: unknown, minutes?: number): boolean {
  try {
    area.setItem(key, JSON.stringify(value));
    renew(area, key, minutes);
    return true;
  } catch {
    console.warn(`${key} could not be stored in the browser`);
    return false;
  }
}

/** Removes a value that `write` has stored. */
export function remove(area: Storage, key: string): void {
  removeAt(area, PERSONAL + key);
}

/** Removes a value that `writeShared` has stored. */
export function removeShared(area: Storage, key: string): void {
  removeAt(area, SHARED + key);
}

function removeAt(area: Storage, key: string): void {
  area.removeItem(key);
  area.removeItem(key + EXPIRES);
}

export function isKey(event: StorageEvent, key: string): boolean {
  return event.key === PERSONAL + key;
}

/** Removes all personal data from a storage. */
export function removePersonal(area: Storage): void {
  for (const key of Object.keys(area)) if (key.startsWith(PERSONAL)) area.removeItem(key);
}
