/** Logout removes everything stored under this prefix. */
const PERSONAL = 'shop.';

/** Reads a JSON value; null when it is missing or invalid. */
export function read<T>(area: Storage, key: string): T | null {
  try {
    return JSON.parse(area.getItem(PERSONAL + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Writes a JSON value; a full or forbidden storage is only logged. */
export function write(area: Storage, key: string, value: unknown): void {
  try {
    area.setItem(PERSONAL + key, JSON.stringify(value));
  } catch {
    console.warn(`${key} could not be stored in the browser`);
  }
}

export function isKey(event: StorageEvent, key: string): boolean {
  return event.key === PERSONAL + key;
}

/** Removes all personal data from a storage. */
export function removePersonal(area: Storage): void {
  for (const key of Object.keys(area)) if (key.startsWith(PERSONAL)) area.removeItem(key);
}
