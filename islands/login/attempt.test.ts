import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import { captchaTicket } from '../form/captcha';
import { logIn } from './attempt';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));
vi.mock('../form/captcha', () => ({ captchaTicket: vi.fn() }));

const session = { token: 'token', nickname: 'Mei', level: 1, account: 'mei@example.com' };
const refusal = (reason: string) => new ShopError({ code: 1, status: 200, reason });

describe('logIn', () => {
  beforeEach(() => {
    vi.mocked(call).mockReset();
    vi.mocked(captchaTicket).mockReset().mockResolvedValue('ticket');
  });

  it('trims the account but not the password, and solves no captcha', async () => {
    vi.mocked(call).mockResolvedValueOnce(session);
    const onCheck = vi.fn();
    await expect(logIn(' mei@example.com ', ' pass ', onCheck)).resolves.toBe(session);
    expect(call).toHaveBeenCalledExactlyOnceWith('POST', '/pc/login', {
      account: 'mei@example.com',
      password: ' pass ',
    });
    expect(captchaTicket).not.toHaveBeenCalled();
    expect(onCheck).not.toHaveBeenCalled();
  });

  it('solves the captcha and sends its ticket when the shop asks for it', async () => {
    vi.mocked(call).mockRejectedValueOnce(refusal('captcha_required')).mockResolvedValueOnce(session);
    const onCheck = vi.fn();
    await expect(logIn('mei@example.com', '888888', onCheck)).resolves.toBe(session);
    expect(onCheck).toHaveBeenCalledOnce();
    expect(call).toHaveBeenLastCalledWith('POST', '/pc/login', {
      account: 'mei@example.com',
      password: '888888',
      ticket: 'ticket',
    });
  });

  it('raises any other refusal without a retry', async () => {
    vi.mocked(call).mockRejectedValueOnce(refusal('account_or_password_wrong'));
    await expect(logIn('mei@example.com', 'wrong!!', vi.fn())).rejects.toMatchObject({
      reason: 'account_or_password_wrong',
    });
    expect(call).toHaveBeenCalledOnce();
  });
});
