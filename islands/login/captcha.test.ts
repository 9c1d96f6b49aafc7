// @vitest-environment node
import { createChallenge, pbkdf2, sha, verifySolution } from 'altcha/lib';
import { describe, expect, it } from 'vitest';
import { prove } from './captcha';

const SECRET = 'known to the server only';

describe('prove', () => {
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
    const payload = JSON.parse(atob(await prove(challenge)));
    const verify = (hmacSignatureSecret: string) =>
      verifySolution({ ...payload, deriveKey, hmacSignatureSecret });
    expect((await verify(SECRET)).verified).toBe(true);
    expect((await verify('another')).verified).toBe(false);
  });
});
