import { t } from '../i18n';

/** What kind of account a new customer has. */
export type AccountKind = 'email' | 'mobile';

/** Gives the kind of a whole account; an e-mail address where there is none yet. */
export function kindOf(account: string): AccountKind {
  return account.startsWith('+') ? 'mobile' : 'email';
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
/** E.164 allows 15 digits; no mobile number in use has fewer than 7. */
const MOBILE = /^\+\d{7,15}$/;

/**
 * Writes a mobile number with its country's dial code (E.164).
 *
 * A number typed with "+" or "00" has its own dial code; the leading 0 of a national number is dropped.
 */
export function mobileAccount(dialCode: string, typed: string): string {
  const bare = typed.trim().replace(/[\s().-]/g, '');
  if (bare.startsWith('+')) return bare;
  if (bare.startsWith('00')) return `+${bare.slice(2)}`;
  return bare === '' ? '' : `+${dialCode}${bare.replace(/^0/, '')}`;
}

/** Shows whether an account has the form of its kind: an e-mail address, or a mobile number in E.164. */
export function looksLikeAccount(kind: AccountKind, account: string): boolean {
  return (kind === 'email' ? EMAIL : MOBILE).test(account);
}

/** Shows whether a login password is six digits or anything longer, up to 128 characters (docs/wire.md#passwords). */
export function passwordIsLongEnough(password: string): boolean {
  return /^\d{6}$/.test(password) || (password.length > 6 && password.length <= 128);
}

/** Gives the text for a password of a wrong length. */
export function lengthError(password: string): string {
  return t(password.length > 6 ? 'login.error.newPassword' : 'login.error.shortPassword');
}
