/* What the server knows of the customer: level, balance, points (CONTRACT 5, userInfo). */
import { signal } from '@preact/signals-core';
import { call } from '../api/client';

export interface Customer {
  account: string;
  nickname: string;
  level: number;
  levelName: string;
  levelNameEn: string;
  /** AUD. */
  balance: number;
  /** Points. */
  integral: number;
  hasPayPassword: boolean;
}

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
