import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;

async function loadClient() {
  const { errorText, loadTexts } = await import('../i18n');
  await loadTexts();
  return { errorText, ...(await import('./client')) };
}

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([]);
});

async function failure(promise: Promise<unknown>): Promise<unknown> {
  const settled = promise.then(
    () => expect.unreachable('the call should fail'),
    (error: unknown) => error,
  );
  await vi.runAllTimersAsync();
  return settled;
}

describe('call', () => {
  it('sends token, language and JSON, and gives the result', async () => {
    logInAs('mei@example.com');
    const { call } = await loadClient();
    const [result] = await Promise.all([call('POST', '/pc/order', { a: 1 }), vi.runAllTimersAsync()]);
    expect(result).toBe(1);
    expect(shop.requests).toEqual([
      {
        method: 'POST',
        path: '/pc/order',
        body: { a: 1 },
        headers: { token: 'token-of-mei@example.com', lang: 'en', 'Content-Type': 'application/json' },
      },
    ]);
  });

  it('sends the token that the call is for, also if another customer has logged in', async () => {
    logInAs('jia@example.com');
    const { call } = await loadClient();
    await Promise.all([call('POST', '/pc/toTrade', {}, { token: 'T-mei' }), vi.runAllTimersAsync()]);
    expect(shop.requests[0]?.headers.token).toBe('T-mei');
  });

  it('sends no token for a guest, and the language of a Chinese page', async () => {
    document.documentElement.lang = 'zh-Hans';
    const { call } = await loadClient();
    await Promise.all([call('GET', '/pc/shops'), vi.runAllTimersAsync()]);
    expect(shop.requests[0]?.headers).toEqual({ lang: 'zh' });
  });

  it('raises a refusal of the shop with its reason and fields', async () => {
    const { call } = await loadClient();
    const fields = { phone: 'parameter_error' };
    const answer = { code: 1002, msg: '参数错误', reason: 'parameter_error' };
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ ...answer, fields })));
    expect(await failure(call('POST', '/pc/order'))).toMatchObject({ status: 200, ...answer, fields });
  });

  it('aborts the earlier of two equal calls, and neither of two different ones', async () => {
    const { call, errorText } = await loadClient();
    shop.delay = 100;
    const first = failure(call('POST', '/pc/order', { a: 1 }));
    const second = call('POST', '/pc/order', { a: 1 });
    const other = call('POST', '/pc/order', { a: 2 });
    const error = await first;
    expect(error).toMatchObject({ reason: 'duplicate' });
    expect(errorText(error)).toBe('Your operation is too frequent, please try again later.');
    expect(await Promise.all([second, other])).toEqual([1, 1]);
  });

  it('allows the same call again once it has ended', async () => {
    const { call } = await loadClient();
    for (const _turn of [1, 2]) await Promise.all([call('GET', '/pc/shops'), vi.runAllTimersAsync()]);
    expect(shop.requests).toHaveLength(2);
  });

  it('times out after 30 s', async () => {
    const { call, errorText } = await loadClient();
    shop.delay = 60_000;
    const call30 = call('GET', '/pc/shops');
    const settled = vi.fn();
    call30.catch(settled);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(errorText(settled.mock.calls[0]?.[0])).toMatch(/^Network disconnection/);
  });

  it.each([
    [{ status: 401, code: 1, msg: '请先登录' }, 'Please log in first~'],
    [
      { status: 404, code: 1, msg: '内容不存在' },
      'Network disconnection, please check your network connection ~',
    ],
    [{ status: 500, code: 1, msg: '服务器异常' }, 'Server exception, please try again later'],
    [{ status: 200, code: 1, msg: '余额不足，请充值' }, '余额不足，请充值'],
    [{ status: 200, code: 1, msg: '账户余额不足' }, 'Insufficient account balance'],
    ['offline' as const, 'Network disconnection, please check your network connection ~'],
  ])('shows the right text for the answer %j', async (answer, text) => {
    const { call, errorText } = await loadClient();
    shop.refuseNext(answer);
    expect(errorText(await failure(call('GET', '/pc/shops')))).toBe(text);
  });

  it('treats an answer without an envelope as a server error', async () => {
    const { call } = await loadClient();
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }));
    expect(await failure(call('GET', '/pc/shops'))).toMatchObject({ reason: 'server_error', status: 502 });
  });

  it('logs out at code 1001 and asks where to go', async () => {
    logInAs('mei@example.com');
    const { call } = await loadClient();
    await import('../loader');
    shop.refuseNext({ code: 1001, msg: '登录失效，请重新登录', reason: 'login_invalid' });
    expect(await failure(call('GET', '/pc/user/userInfo'))).toMatchObject({ code: 1001 });
    vi.useRealTimers();
    await vi.waitFor(() => expect(document.querySelector('dialog[open]')).not.toBeNull());
    const dialog = document.querySelector('dialog');
    expect(dialog?.querySelector('h2')?.textContent).toBe('Invalid login information detected');
    expect([...(dialog?.querySelectorAll('button') ?? [])].map((button) => button.textContent)).toEqual([
      'Login page',
      'Later',
    ]);
    expect(localStorage.getItem('token')).toBeNull();
  });

  it('leaves a new login alone when an answer refuses the token before it', async () => {
    logInAs('mei@example.com');
    const { call } = await loadClient();
    const ask = vi.fn();
    document.addEventListener('shop:login-invalid', ask);
    const { loginInvalid } = await import('../login-invalid');
    shop.delay = 300;
    shop.refuseNext({ code: 1001, msg: '登录失效，请重新登录', reason: 'login_invalid' });
    const refused = failure(call('GET', '/pc/user/userInfo'));
    localStorage.setItem('token', 'token-after-a-reset');
    expect(await refused).toMatchObject({ code: 1001 });
    await loginInvalid(ask.mock.lastCall?.[0].detail);
    expect(localStorage.getItem('token')).toBe('token-after-a-reset');
    expect(document.querySelector('dialog')).toBeNull();
  });
});
