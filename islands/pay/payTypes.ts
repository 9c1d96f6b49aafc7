import { type TextKey, t } from '../i18n';
import type { IconName } from '../ui/icons';

/** A way to pay that the shop has switched on (CONTRACT 4). */
export interface PayType {
  payName: string;
  payCode: string;
  payType: string;
  img: string | null;
}

export const WALLET = '0';

interface Known {
  icon: IconName;
  name: TextKey;
  hint?: TextKey;
}

/** SPEC 9, payment options, by the code of each. */
const KNOWN: Readonly<Record<string, Known>> = {
  '5': { icon: 'credit-card', name: 'pay.card', hint: 'pay.cardHint' },
  Paypal: { icon: 'wallet', name: 'pay.paypal' },
  '3': { icon: 'building-2', name: 'pay.poli' },
  '2': { icon: 'qr-code', name: 'pay.wechat' },
  '4': { icon: 'qr-code', name: 'pay.ali' },
  transfer: { icon: 'landmark', name: 'pay.transfer', hint: 'pay.transferHint' },
  '1': { icon: 'message-circle', name: 'pay.service' },
  [WALLET]: { icon: 'wallet', name: 'pay.wallet' },
  cashOnDelivery: { icon: 'banknote', name: 'pay.cash' },
};

/** Names a way to pay in the page's language; one that nobody knows keeps the server's name. */
export function payTypeName(payType: string, payName = payType): string {
  const known = KNOWN[payType];
  return known ? t(known.name) : payName;
}

/** Gives what stands under the name, if anything. */
export function payTypeHint(payType: string): string | undefined {
  const hint = KNOWN[payType]?.hint;
  return hint && t(hint);
}

/** Gives the picture of a way to pay. */
export const payTypeIcon = (payType: string): IconName => KNOWN[payType]?.icon ?? 'credit-card';
