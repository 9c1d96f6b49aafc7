/* The customer's level, balance and points (docs/wire.md#useruserinfo). */
import { signal } from '@preact/signals-core';
import { call } from '../api/client';
import type { Customer } from '../api/types';
import { account, rename } from './session';

export const customer = signal<Customer | null>(null);

let loading: Promise<void> | null = null;

/** Fetches the customer; concurrent calls share one request. Raises ShopError. */
export function loadCustomer(): Promise<void> {
  const asking = account.value;
  loading ??= call<Customer>('GET', '/pc/user/userInfo')
    .then((row) => {
      if (account.value !== asking) return;
      customer.value = row;
      // It may have been changed on another device.
      rename(row.nickname);
    })
    .finally(() => {
      loading = null;
    });
  return loading;
}

document.addEventListener('shop:session', () => {
  customer.value = null;
  loading = null;
});
