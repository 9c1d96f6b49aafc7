/*
 * The session. Stores use @preact/signals-core only: what loads at the first touch of a product card must not load
 * React, and @preact/signals-react gives the same signals to components.
 */
import { computed, signal } from '@preact/signals-core';
import { call } from '../api/client';
import type { Session } from '../api/types';
import { removePersonal } from './storage';

/** The token is last, since other tabs listen for it. */
const KEYS = ['nickname', 'level', 'account', 'token'] as const;

const token = signal('');
const nickname = signal('');
export const account = signal('');

export const isLoggedIn = computed(() => token.value !== '');
/** The nickname, or the account if there is none (docs/product.md#things-and-their-fields). */
export const displayName = computed(() => nickname.value || account.value);

function restore(): void {
  token.value = localStorage.getItem('token') ?? '';
  nickname.value = localStorage.getItem('nickname') ?? '';
  account.value = localStorage.getItem('account') ?? '';
}

function announce(): void {
  restore();
  document.dispatchEvent(new Event('shop:session'));
}

/** Stores a new session in the browser; `enter` in stores/login also sends the carts. */
export function signIn(session: Session): void {
  for (const key of KEYS) localStorage.setItem(key, String(session[key]));
  announce();
}

/** Removes the session and all personal data from this browser (docs/product.md#session), without a request. */
export function endSession(): void {
  for (const key of KEYS) localStorage.removeItem(key);
  removePersonal();
  announce();
}

/** Logs out, on the server too if it can be reached. */
export async function logOut(): Promise<void> {
  await call('POST', '/pc/logout').catch(() => undefined);
  endSession();
}

/** Applies a login or logout of another tab; personal data of the former customer is removed. */
function readOtherTab(): void {
  const before = account.value;
  restore();
  if (account.value === before) return;
  if (before !== '') removePersonal();
  announce();
}

restore();
window.addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === null) readOtherTab();
});
window.addEventListener('pageshow', (event) => event.persisted && readOtherTab());
