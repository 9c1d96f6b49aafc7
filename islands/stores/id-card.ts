/* The recipient's identity card, which China's customs ask for (docs/guarantees/customers.md#id-cards). */
import { type OrderDraft, shippingType } from './order-draft';

/** Shows whether an order that is still to be placed needs the number. */
export function needsIdCard(draft: OrderDraft): boolean {
  return draft.orderNo === '' && shippingType(draft) === 1 && draft.address?.country === 'China';
}

/** Shows whether a text has the form of a number: 18 digits, the last may be X; the server checks the rest. */
export const isIdCard = (text: string): boolean => /^\d{17}[\dX]$/i.test(text.replace(/\s/g, ''));
