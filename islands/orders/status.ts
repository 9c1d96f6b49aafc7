import type { Order } from '../api/types';
import { type TextKey, t } from '../i18n';
import { lang } from '../lang';
import { COLLECTED_BY_STAFF, CUSTOMER_SERVICE, TRANSFER } from '../pay/payTypes';
import { formatTime } from './dates';

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
export const STATUSES = ['unpaid', 'paid', 'unreceived', 'claimable', 'completed', 'canceled'] as const;

/** Writes a status label: verbatim in English, translated in Chinese. */
export function statusText(label: string): string {
  const known = LABELS[label];
  return known && lang() === 'zh' ? t(known.text) : label;
}

/** The image of cash that is paid at the door (docs/wire.md#orderpay). */
const PAY_ON_DELIVERY_IMAGE = '/static/img/pay-on-delivery.webp';

/** Writes the status of an order: its label, which is the same for cash in a store and at the door, made exact. */
export const orderStatusText = ({ statusLabel, payImg }: Pick<Order, 'statusLabel' | 'payImg'>): string =>
  payImg === PAY_ON_DELIVERY_IMAGE ? t('orders.label.payOnDelivery') : statusText(statusLabel);

/** See docs/product.md#order-statuses. */
const UNPAID = 1;
const READY = 100;
/** See docs/product.md#checkout. */
const PICK_UP = 3;

/** Shows whether an order is held while staff wait for its money, rather than for a payment here. */
export const isHeld = ({ orderStatus, payType }: Pick<Order, 'orderStatus' | 'payType'>): boolean =>
  orderStatus === UNPAID && COLLECTED_BY_STAFF.has(payType);

/** Shows how an order is paid that is held, and until when that is. */
export function heldText({ payType, shippingType, expireTime }: Order): string {
  const cash = shippingType === PICK_UP ? 'inStore' : 'onDelivery';
  const way = { [CUSTOMER_SERVICE]: 'service', [TRANSFER]: 'transfer' }[payType] ?? cash;
  return t(`orders.held.${way as 'service'}`, { time: expireTime ? formatTime(expireTime) : '' });
}

/** Shows where an order is that is yet to be received, next to its label; else nothing. */
export function whereabouts({
  statusLabel,
  orderStatus,
}: Pick<Order, 'statusLabel' | 'orderStatus'>): string {
  if (statusLabel !== 'Unreceived') return '';
  return t(orderStatus === READY ? 'orders.where.ready' : 'orders.where.underway');
}

/** Gives the badge's class for a status label. */
export const statusBadge = (label: string): string => `badge badge--${LABELS[label]?.tone ?? 'mute'}`;

/** Shows whether an order is on its way to an address. */
export const isUnderway = ({
  statusLabel,
  shippingType,
}: Pick<Order, 'statusLabel' | 'shippingType'>): boolean =>
  statusLabel === 'Unreceived' && shippingType !== PICK_UP;

/** Shows whether an order can be canceled and paid in another way: also one that is to be paid in the shop. */
export const mayChange = (order: { statusLabel: string }): boolean =>
  isUnpaid(order) || order.statusLabel === 'Pay In Store';

/** Shows whether an order waits for the customer to pay. */
export const isUnpaid = (order: { statusLabel: string }): boolean => order.statusLabel === 'Unpaid';
