import { type TextKey, t } from '../i18n';
import { lang } from '../lang';

type Tone = 'danger' | 'warn' | 'ok' | 'info' | 'mute';

/** The labels, word for word as the server sends them (docs/product.md#order-statuses). */
const LABELS: Readonly<Record<string, { tone: Tone; text: TextKey }>> = {
  Unpaid: { tone: 'danger', text: 'orders.label.unpaid' },
  'Pay In Store': { tone: 'warn', text: 'orders.label.payInStore' },
  'Pay By Transfer Waiting For Review': { tone: 'warn', text: 'orders.label.transferReview' },
  Paid: { tone: 'ok', text: 'orders.label.paid' },
  Unreceived: { tone: 'info', text: 'orders.label.unreceived' },
  Completed: { tone: 'ok', text: 'orders.label.completed' },
  Canceled: { tone: 'mute', text: 'orders.label.canceled' },
  Chargeback: { tone: 'warn', text: 'orders.label.chargeback' },
  'Contact Customer Service': { tone: 'mute', text: 'orders.label.service' },
};

/** The statuses a list may be filtered by (docs/wire.md#orderinfo). */
export const STATUSES = ['unpaid', 'paid', 'unreceived', 'completed', 'canceled'] as const;

/** Writes a status label: verbatim in English, translated in Chinese. */
export function statusText(label: string): string {
  const known = LABELS[label];
  return known && lang() === 'zh' ? t(known.text) : label;
}

/** Gives the badge's class for a status label. */
export const statusBadge = (label: string): string => `badge badge--${LABELS[label]?.tone ?? 'mute'}`;

/** Tells whether an order can be canceled and paid in another way: also one that is to be paid in the shop. */
export const mayChange = (order: { statusLabel: string }): boolean =>
  isUnpaid(order) || order.statusLabel === 'Pay In Store';

/** Tells whether an order waits for the customer to pay. */
export const isUnpaid = (order: { statusLabel: string }): boolean => order.statusLabel === 'Unpaid';
