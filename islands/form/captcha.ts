import type { Challenge } from 'altcha/lib';
import { call } from '../api/client';
import type { Captcha } from '../api/types';

/**
 * Solves the captcha and gives the ticket for one sendCode or one login (docs/wire.md#captcha).
 *
 * ALTCHA asks for a proof of work, so the customer has nothing to do.
 * Raises ShopError; Error where the browser has no cryptography (an insecure origin).
 */
export async function captchaTicket(): Promise<string> {
  const { provider, challenge } = await call<Captcha>('GET', '/pc/common/captcha');
  if (provider !== 'altcha') throw new Error(`No security check is built in for ${provider}`);
  const { ticket } = await call<{ ticket: string }>('POST', '/pc/common/scc', {
    provider,
    payload: await prove(challenge as unknown as Challenge),
  });
  return ticket;
}

/** Solves a challenge and writes challenge and solution the way ALTCHA's server side reads them. */
async function prove(challenge: Challenge): Promise<string> {
  const { pbkdf2, sha, solveChallenge } = await import('altcha/lib');
  const { deriveKey } = challenge.parameters.algorithm.startsWith('PBKDF2') ? pbkdf2 : sha;
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The security check was not solved in time');
  return btoa(JSON.stringify({ challenge, solution }));
}
