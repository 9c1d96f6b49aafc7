import { type TextKey, t } from '../i18n';

export const WALLET = '0';

interface Known {
  name: TextKey;
  hint?: TextKey;
}

/** The pay types by their code (docs/product.md#constants). */
const KNOWN: Readonly<Record<string, Known>> = {
  '5': { name: 'pay.card', hint: 'pay.cardHint' },
  Paypal: { name: 'pay.paypal' },
  '3': { name: 'pay.poli' },
  '2': { name: 'pay.wechat' },
  '4': { name: 'pay.ali' },
  transfer: { name: 'pay.transfer', hint: 'pay.transferHint' },
  '1': { name: 'pay.service' },
  [WALLET]: { name: 'pay.wallet' },
  cashOnDelivery: { name: 'pay.cash' },
};

/** Gives a pay type's name in the page's language; an unknown one keeps the server's name. */
export function payTypeName(payType: string, payName = payType): string {
  const known = KNOWN[payType];
  return known ? t(known.name) : payName;
}

/** Gives the hint under a pay type's name, if any. */
export function payTypeHint(payType: string): string | undefined {
  const hint = KNOWN[payType]?.hint;
  return hint && t(hint);
}
