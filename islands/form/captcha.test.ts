// @vitest-environment node

// @vitest-environment node
import { createChallenge, pbkdf2, sha, verifySolution } from 'altcha/lib';
import { expect, it, vi } from 'vitest';
import { call } from '../api/client';
import { captchaTicket } from './captcha';

vi.mock('../api/client', () => ({ call: vi.fn() }));

const SECRET = 'known to the server only';

it.each([
  ['PBKDF2/SHA-256', pbkdf2],
  ['SHA-256', sha],
])('solves a challenge of %s so that the server side accepts it', async (algorithm, { deriveKey }) => {
  const challenge = await createChallenge({
    algorithm,
    cost: 10,
    counter: 7,
    deriveKey,
    hmacSignatureSecret: SECRET,
  });
  vi.mocked(call)
    .mockReset()
    .mockResolvedValueOnce({ provider: 'altcha', challenge })
    .mockResolvedValueOnce({ ticket: 'ticket' });
  expect(await captchaTicket()).toBe('ticket');
  const sent = vi.mocked(call).mock.lastCall?.[2] as { payload: string };
  const payload = JSON.parse(atob(sent.payload));
  const verify = (hmacSignatureSecret: string) =>
    verifySolution({ ...payload, deriveKey, hmacSignatureSecret });
  expect((await verify(SECRET)).verified).toBe(true);
  expect((await verify('another')).verified).toBe(false);
});
