/** Everything of a customer's that the browser keeps under this prefix is forgotten at logout. */
const PERSONAL = 'shop.';

/** Reads a JSON value; null when it is missing or broken. */
export function read<T>(area: Storage, key: string): T | null {
  try {
    return JSON.parse(area.getItem(PERSONAL + key) ?? 'null') as T | null;
  } catch {
    return null;
  }
}

/** Writes a JSON value; a full or forbidden storage only means that it is not kept. */
export function write(area: Storage, key: string, value: unknown): void {
  try {
    area.setItem(PERSONAL + key, JSON.stringify(value));
  } catch {
    console.warn(`${key} could not be kept in the browser`);
  }
}

export function isKey(event: StorageEvent, key: string): boolean {
  return event.key === PERSONAL + key;
}

/** Removes everything personal from both storages. */
export function forgetEverything(): void {
  for (const area of [localStorage, sessionStorage]) {
    for (const key of Object.keys(area)) if (key.startsWith(PERSONAL)) area.removeItem(key);
  }
}
