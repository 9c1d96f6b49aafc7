/*
 * That a code was sent, kept in the tab: a phone may end the page while its owner reads the message. Neither code nor
 * password is ever stored.
 */
import { read, remove, write } from '../stores/storage';

type Purpose = 'login' | 'register' | 'reset';

/** A code that was sent to an account; `at`: when, in milliseconds. */
export interface SentCode {
  purpose: Purpose;
  account: string;
  at: number;
}

const KEY = 'sentCode';
/** As long as the server takes the code. */
const VALID_FOR_MS = 10 * 60_000;

/** Gives the last code of this tab that was sent for a purpose and may still be entered. */
export function sentCode(purpose: Purpose): SentCode | null {
  const sent = read<SentCode>(sessionStorage, KEY);
  return sent?.purpose === purpose && Date.now() - sent.at < VALID_FOR_MS ? sent : null;
}

/** Keeps that a code was sent just now. */
export function keepSentCode(purpose: Purpose, account: string): void {
  write(sessionStorage, KEY, { purpose, account, at: Date.now() } satisfies SentCode);
}

/** Forgets it once it was used. */
export function forgetSentCode(): void {
  remove(sessionStorage, KEY);
}
