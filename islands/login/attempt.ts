import { call, ShopError } from '../api/client';
import type { Session } from '../stores/session';
import { captchaTicket } from './captcha';

/**
 * Logs in; after three failures the shop asks for the security check, which is passed on the way (CONTRACT 5).
 *
 * `onSecurityCheck` is told when it begins, since it takes a moment. Raises ShopError.
 */
export async function logIn(
  account: string,
  password: string,
  onSecurityCheck: () => void,
): Promise<Session> {
  const body = { account: account.trim(), password };
  try {
    return await call<Session>('POST', '/pc/login', body);
  } catch (error) {
    if (!(error instanceof ShopError) || error.reason !== 'captcha_required') throw error;
  }
  onSecurityCheck();
  return call<Session>('POST', '/pc/login', { ...body, ticket: await captchaTicket() });
}
