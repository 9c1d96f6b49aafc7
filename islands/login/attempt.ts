import { call, ShopError } from '../api/client';
import type { Session } from '../api/types';

/**
 * Logs in, with the ticket of a security check where there is one; null where the shop asks for one.
 *
 * It does so after three failures (docs/wire.md#login). Raises ShopError.
 */
export async function logIn(account: string, password: string, ticket?: string): Promise<Session | null> {
  try {
    return await call<Session>('POST', '/pc/login', { account: account.trim(), password, ticket });
  } catch (error) {
    if (error instanceof ShopError && error.reason === 'captcha_required') return null;
    throw error;
  }
}
