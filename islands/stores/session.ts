/*
 * The session. Stores use @preact/signals-core only: what loads at the first touch of a product card must not load
 * React, and @preact/signals-react gives the same signals to components.
 */
import { computed, signal } from '@preact/signals-core';
import { call } from '../api/client';
import type { Session } from '../api/types';
import { read, removePersonal, write } from './storage';

/** The token is last, since other tabs listen for it. */
const KEYS = ['nickname', 'level', 'account', 'token'] as const;
/** The customer whose data this tab stores. */
const OWNER = 'owner';

const token = signal('');
const nickname = signal('');
export const account = signal('');

export const isLoggedIn = computed(() => token.value !== '');
/** The nickname, or the account if there is none (docs/product.md#things-and-their-fields). */
export const displayName = computed(() => nickname.value || account.value);

/** Reads the session, and removes what this tab has stored of another customer. */
function restore(): void {
  token.value = localStorage.getItem('token') ?? '';
  nickname.value = localStorage.getItem('nickname') ?? '';
  account.value = localStorage.getItem('account') ?? '';
  const owner = read(sessionStorage, OWNER);
  if (owner && owner !== account.value) removePersonal(sessionStorage);
  if (account.value) write(sessionStorage, OWNER, account.value);
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
  removePersonal(localStorage);
  removePersonal(sessionStorage);
  announce();
}

/** Logs out, on the server too if it can be reached. */
export async function logOut(): Promise<void> {
  await call('POST', '/pc/logout').catch(() => undefined);
  endSession();
}

restore();
// The page that ended a session has emptied localStorage, which may have the next customer's data by now.
window.addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === null) announce();
});
window.addEventListener('pageshow', (event) => event.persisted && announce());
