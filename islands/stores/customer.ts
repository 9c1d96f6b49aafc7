/* What the server knows of the customer: level, balance, points (CONTRACT 5, userInfo). */
import { signal } from '@preact/signals-core';
import { call } from '../api/client';
import type { Customer } from '../api/types';

export const customer = signal<Customer | null>(null);

let loading: Promise<void> | null = null;

/** Fetches the customer; a call while one is under way waits for that one. Raises ShopError. */
export function loadCustomer(): Promise<void> {
  loading ??= call<Customer>('GET', '/pc/user/userInfo')
    .then((row) => {
      customer.value = row;
    })
    .finally(() => {
      loading = null;
    });
  return loading;
}
