/*
 * The number of the recipient's identity card, which China's customs ask for. It is in the memory of the page that
 * places the order, and stored nowhere in the browser (docs/guarantees.md#id-cards).
 */
import { signal } from '@preact/signals-core';
import type { OrderDraft } from './order-draft';
import { shippingType } from './order-draft';

export const idCard = signal('');

const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS = '10X98765432';

/** Tells whether an order that is still to be placed needs the number. */
export function needsIdCard(draft: OrderDraft): boolean {
  return draft.orderNo === '' && shippingType(draft) === 1 && draft.address?.country === 'China';
}

/** Tells whether a number has eighteen digits, of which the last fits the others; the server checks the rest. */
export function isIdCard(text: string): boolean {
  const number = text.normalize('NFKC').replace(/\s/g, '').toUpperCase();
  if (!/^\d{17}[\dX]$/.test(number)) return false;
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(number[place]), 0);
  return CHECKS[sum % 11] === number[17];
}

// Whoever comes next on this page is somebody else.
document.addEventListener('shop:session', () => {
  idCard.value = '';
});
