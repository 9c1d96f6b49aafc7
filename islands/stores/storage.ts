/** Logout removes everything stored under this prefix. */
const PERSONAL = 'shop.';
/** What is stored under this one is the browser's, whoever is logged in. */
const SHARED = 'shared.';

/** Reads a JSON value; null when it is missing or invalid. */
export function read<T>(area: Storage, key: string): T | null {
  return readAt(area, PERSONAL + key);
}

/** Reads a JSON value that no logout removes; null when it is missing or invalid. */
export function readShared<T>(area: Storage, key: string): T | null {
  return readAt(area, SHARED + key);
}

function readAt<T>(area: Storage, key: string): T | null {
  try {
    return JSON.parse(area.getItem(key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Writes a JSON value; gives whether the storage took it: a full or forbidden one is logged. */
export function write(area: Storage, key: string, value: unknown): boolean {
  return writeAt(area, PERSONAL + key, value);
}

/** Writes a JSON value that no logout removes, as `write` does. */
export function writeShared(area: Storage, key: string, value: unknown): boolean {
  return writeAt(area, SHARED + key, value);
}

function writeAt(area: Storage, key: string, value: unknown): boolean {
  try {
    area.setItem(key, JSON.stringify(value));
    return true;
  } catch {
    console.warn(`${key} could not be stored in the browser`);
    return false;
  }
}

/** Removes a value that `write` has stored. */
export function remove(area: Storage, key: string): void {
  area.removeItem(PERSONAL + key);
}

export function isKey(event: StorageEvent, key: string): boolean {
  return event.key === PERSONAL + key;
}

/** Removes all personal data from a storage. */
export function removePersonal(area: Storage): void {
  for (const key of Object.keys(area)) if (key.startsWith(PERSONAL)) area.removeItem(key);
}
