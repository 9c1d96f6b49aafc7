import { call, ShopError } from '../api/client';
import type { Session } from '../api/types';
import { captchaTicket } from '../form/captcha';

/**
 * Logs in; after three failures the shop asks for a captcha, which is then solved (docs/wire.md#login).
 *
 * `onSecurityCheck` is called when that begins, since it takes a moment. Raises ShopError.
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
