import type { Challenge } from 'altcha/lib';
import { call } from '../api/client';
import type { Captcha } from '../api/types';

/** Asks which captcha is to be solved; with `embedded` the shop's own (docs/wire.md#captcha). Raises ShopError. */
export const askCaptcha = (embedded = false): Promise<Captcha> =>
  call<Captcha>('GET', `/pc/common/captcha${embedded ? '?provider=altcha' : ''}`);

/** Exchanges a solved captcha for the ticket for one sendCode or one login. Raises ShopError. */
export async function exchange(provider: string, payload: unknown): Promise<string> {
  return (await call<{ ticket: string }>('POST', '/pc/common/scc', { provider, payload })).ticket;
}

/**
 * Solves the embedded captcha, `given` or a new one, and gives the ticket.
 *
 * ALTCHA asks for a proof of work, so the customer has nothing to do.
 * Raises ShopError; Error where the browser has no cryptography (an insecure origin).
 */
export async function captchaTicket(given?: Captcha): Promise<string> {
  const { provider, challenge } = given ?? (await askCaptcha(true));
  return exchange(provider, await prove(challenge as unknown as Challenge));
}

/** Solves a challenge and writes challenge and solution the way ALTCHA's server side reads them. */
async function prove(challenge: Challenge): Promise<string> {
  const { pbkdf2, sha, solveChallenge } = await import('altcha/lib');
  const { deriveKey } = challenge.parameters.algorithm.startsWith('PBKDF2') ? pbkdf2 : sha;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The security check was not solved in time');
  return btoa(JSON.stringify({ challenge, solution }));
}
