/** Turns an amount of the wire (AUD, a JSON number) into integer cents. */
export function toCents(amount: number): number {
  return Math.round(amount * 100);
}

// Without Intl: every page shows the cart's total, and Intl takes a phone 50 ms to start.
function decimals(cents: number): string {
  return (cents / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',');
}

/** Writes cents of AUD as prices show them: A$1,234.50. */
export function formatAud(cents: number): string {
  return `${cents < 0 ? '−' : ''}A$${decimals(Math.abs(cents))}`;
}

/** Writes cents of AUD in CNY at `rate`, as a guide: ≈ ¥19.50. */
export function formatCny(cents: number, rate: number): string {
  return `≈ ¥${decimals(Math.round(cents * rate))}`;
}
