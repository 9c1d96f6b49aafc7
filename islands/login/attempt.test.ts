// @vitest-environment node

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import { logIn } from './attempt';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const session = { token: 'token', nickname: 'Mei', level: 1, account: 'mei@example.com' };
const refusal = (reason: string) => new ShopError({ code: 1, status: 200, reason });

describe('logIn', () => {
  beforeEach(() => vi.mocked(call).mockReset());

  it('trims the account but not the password', async () => {
    vi.mocked(call).mockResolvedValueOnce(session);
    await expect(logIn(' mei@example.com ', ' pass ')).resolves.toBe(session);
    expect(call).toHaveBeenCalledExactlyOnceWith('POST', '/pc/login', {
      account: 'mei@example.com',
      password: ' pass ',
    });
  });

  it('shows that the shop asks for a security check, and sends its ticket', async () => {
    vi.mocked(call).mockRejectedValueOnce(refusal('captcha_required')).mockResolvedValueOnce(session);
    await expect(logIn('mei@example.com', '888888')).resolves.toBeNull();
    expect(call).toHaveBeenCalledOnce();
    await expect(logIn('mei@example.com', '888888', 'ticket')).resolves.toBe(session);
    expect(call).toHaveBeenLastCalledWith('POST', '/pc/login', {
      account: 'mei@example.com',
      password: '888888',
      ticket: 'ticket',
    });
  });

  it('raises any other refusal without a retry', async () => {
    vi.mocked(call).mockRejectedValueOnce(refusal('account_or_password_wrong'));
    await expect(logIn('mei@example.com', 'wrong!!')).rejects.toMatchObject({
      reason: 'account_or_password_wrong',
    });
    expect(call).toHaveBeenCalledOnce();
  });
});
