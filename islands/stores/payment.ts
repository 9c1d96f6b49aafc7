/* Calls that only the customer of an order may make, and the start of its payment (docs/product.md#session). */
import { call, type Method, ShopError } from '../api/client';
import type { Jump } from '../api/types';
import { account, tokenOf } from './session';

/**
 * Calls with the token of one customer, who may not have been logged in by another tab since. An answer that comes
 * after they have gone counts as a refusal, as nothing of it may be shown to the next one. Raises ShopError.
 */
export async function callAs<T>(owner: string, method: Method, path: string, body?: unknown): Promise<T> {
  const answer = await call<T>(method, path, body, { token: tokenOf(owner) });
  tokenOf(owner);
  return answer;
}

/**
 * Starts the payment of `owner`'s order (docs/product.md#checkout). Pay type 0 takes the pay password, and so does
 * `walletAmount`: what the wallet pays in all before the rest is paid, in cents.
 *
 * The answer that the order is paid already counts as a success. Raises ShopError.
 */
export async function startPayment(
  orderNo: string,
  payType: string,
  password?: string,
  owner = account.value,
  walletAmount?: number,
): Promise<Jump> {
  const part = walletAmount === undefined ? {} : { walletAmount: walletAmount / 100 };
  const body = { orderNo, payType, ...(password === undefined ? {} : { password }), ...part };
  try {
    return await callAs<Jump>(owner, 'POST', '/pc/order/pay', body);
  } catch (error) {
    if (error instanceof ShopError && error.reason === 'order_paid') return { jumpUrl: null };
    throw error;
  }
}
