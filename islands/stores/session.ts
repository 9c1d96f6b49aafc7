/*
 * The session. Stores use @preact/signals-core only: what loads at the first touch of a product card must not load
 * React, and @preact/signals-react gives the same signals to components.
 */
import { computed, signal } from '@preact/signals-core';
import { call, ShopError } from '../api/client';
import type { Session } from '../api/types';
import { customer, read, removePersonal, storeFor, write } from './storage';

/** The token is last, since other tabs listen for it. */
const KEYS = ['nickname', 'level', 'account', 'token'] as const;
/** The customer whose data this tab stores. */
const OWNER = 'owner';

const LEFT = 'shop:customer-left';

const token = signal('');
/** Empty for a guest, and where there is none. */
export const nickname = signal('');
/** The account that is logged in; empty for a guest. */
export const account = signal('');

export const isLoggedIn = computed(() => token.value !== '');
/** The nickname, or the account if there is none (docs/product.md#things-and-their-fields). */
export const displayName = computed(() => nickname.value || account.value);

/** Reads the session, and removes what this tab has stored of another customer. */
function restore(): void {
  token.value = localStorage.getItem('token') ?? '';
  nickname.value = localStorage.getItem('nickname') ?? '';
  account.value = customer();
  storeFor(account.value);
  const owner = read(sessionStorage, OWNER);
  if (owner && owner !== account.value) removePersonal(sessionStorage);
  if (account.value) write(sessionStorage, OWNER, account.value);
}

function announce(): void {
  restore();
  document.dispatchEvent(new Event('shop:session'));
}

/**
 * Stores a new session in the browser; `enter` in stores/login also sends the carts. What a guest has stored goes
 * along, what another customer has is removed, as at their logout.
 */
export function signIn(session: Session): void {
  const before = localStorage.getItem('token') && localStorage.getItem('account');
  if (before && before !== session.account) {
    removePersonal(localStorage);
    removePersonal(sessionStorage);
  }
  for (const key of KEYS) localStorage.setItem(key, String(session[key]));
  announce();
}

/** Stores a new nickname, which every tab then shows. */
export function rename(name: string): void {
  if (name === nickname.value) return;
  localStorage.setItem('nickname', name);
  nickname.value = name;
  document.dispatchEvent(new Event('shop:nickname'));
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

/** Calls back when another tab has logged the customer out, or another one in. */
export function onCustomerLeft(callback: () => void): void {
  document.addEventListener(LEFT, callback);
}

/** Applies a login or logout of another tab, which has emptied localStorage: what it holds is the next customer's. */
function readOtherTab(): void {
  const before = account.value;
  restore();
  if (account.value === before) return;
  announce();
  if (before !== '') document.dispatchEvent(new Event(LEFT));
}

/** Shows whether a customer is still logged in, also where another tab has just ended that. */
export function isStillIn(owner: string): boolean {
  readOtherTab();
  return owner !== '' && account.value === owner;
}

/**
 * Gives a customer's token, for what no other customer may do with it: place and pay their order.
 * Raises ShopError `login_required` when they are no longer logged in, here or by another tab.
 */
export function tokenOf(owner: string): string {
  if (!isStillIn(owner)) {
    throw new ShopError({ code: 1, status: 401, reason: 'login_required' });
  }
  return token.value;
}

restore();
window.addEventListener('storage', (event) => {
  if (event.key === 'token' || event.key === null) readOtherTab();
  if (event.key === 'nickname') nickname.value = event.newValue ?? '';
});
// A tab that was frozen or in the back/forward cache hears of it only when it is seen again, or from an answer.
for (const type of ['pageshow', 'focus', 'visibilitychange']) window.addEventListener(type, readOtherTab);
document.addEventListener('shop:login-required', readOtherTab);
