/** The least that can be put into the wallet, in cents (docs/wire.md#recharge). */
export const MIN_CENTS = 100;

/** Reads an amount in dollars as it is typed, in cents; null for what is none. */
export function readAmount(text: string): number | null {
  const found = /^(?:A?\$)?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.replace(/[\s,]/g, ''));
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : null;
}
