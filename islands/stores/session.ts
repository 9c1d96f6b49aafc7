/*
 * Who is shopping. Stores use @preact/signals-core alone: what is loaded at the first touch of a goods card must
 * not bring React along, and @preact/signals-react hands the very same signals to components.
 */
import { computed, signal } from '@preact/signals-core';
import { call } from '../api/client';
import { forgetEverything } from './storage';

/** What login and register answer (CONTRACT 5). */
export interface Session {
  token: string;
  nickname: string;
  level: number;
  account: string;
}

/** The token comes last: other tabs wait for it. */
const KEYS = ['nickname', 'level', 'account', 'token'] as const;

export const token = signal('');
export const nickname = signal('');
export const level = signal(0);
export const account = signal('');

export const isLoggedIn = computed(() => token.value !== '');
/** The nickname, or the account if there is none (SPEC 3). */
export const displayName = computed(() => nickname.value || account.value);

function restore(): void {
  token.value = localStorage.getItem('token') ?? '';
  nickname.value = localStorage.getItem('nickname') ?? '';
  level.value = Number(localStorage.getItem('level') ?? 0);
  account.value = localStorage.getItem('account') ?? '';
}

function announce(): void {
  restore();
  document.dispatchEvent(new Event('shop:session'));
}

/** Keeps a new session in the browser. The cart's part of a login is `enter` in stores/login. */
export function signIn(session: Session): void {
  for (const key of KEYS) localStorage.setItem(key, String(session[key]));
  announce();
}

/** Forgets the customer and all that is personal in this browser (SPEC 4); the server is not told. */
export function forget(): void {
  for (const key of KEYS) localStorage.removeItem(key);
  forgetEverything();
  announce();
}

/** Logs out: the token dies on the server too, unless it cannot be reached. */
export async function logOut(): Promise<void> {
  await call('POST', '/pc/logout').catch(() => undefined);
  forget();
}

/** Follows a login or logout in another tab; what is personal in this one goes with the customer. */
function follow(): void {
  const before = account.value;
  restore();
  if (account.value === before) return;
  if (before !== '') forgetEverything();
  announce();
}

restore();
window.addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === null) follow();
});
window.addEventListener('pageshow', (event) => event.persisted && follow());
