import { bothNames } from '../lang';

export const WALLET = '0';
export const CUSTOMER_SERVICE = '1';
export const TRANSFER = 'transfer';
export const CASH = 'cashOnDelivery';
/** The id of the field for the pay password. */
export const PIN_ID = 'pay-password';

/** The pay types whose money staff collect; the order is held in the meantime (docs/wire.md#payinstructions). */
export const COLLECTED_BY_STAFF: ReadonlySet<string> = new Set([CUSTOMER_SERVICE, TRANSFER, CASH]);

/** Gives a pay type's name in the page's language. */
export const payTypeName = ({ payName, payNameEn }: { payName: string; payNameEn: string }): string =>
  bothNames(payName, payNameEn).name;

/** Gives the hint under a pay type's name, empty where it has none. */
export const payTypeHint = ({ payHint, payHintEn }: { payHint: string; payHintEn: string }): string =>
  bothNames(payHint, payHintEn).name;
