import { formatAud } from '../money';

/** Writes cents of a currency by its code, which is not always the shop's own: A$9.50, CNY 66.00. */
export function formatAmount(cents: number, currency: string): string {
  if (currency === 'AUD') return formatAud(cents);
  return formatAud(cents).replace('A$', `${currency} `);
}
