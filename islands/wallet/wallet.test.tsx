// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { BalanceEntry, Recharge } from '../api/types';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const STATEMENT = '/pc/user/balance/detailed';
const TIME = '2026-11-22T02:00:00Z';

let shop: FakeShop;
const go = vi.fn();

const entry = (id: number, overrides: Partial<BalanceEntry>): BalanceEntry => ({
  id,
  amount: 0,
  balance: 0,
  reason: '',
  refNo: '',
  createTime: TIME,
  orderNo: null,
  rechargeNo: null,
  ...overrides,
});
const topUp = (rechargeNo: string): Recharge => ({
  rechargeNo,
  amount: 20,
  payType: 'Paypal',
  payName: '贝宝',
  payNameEn: 'PayPal',
  status: 'unpaid',
  createTime: TIME,
});
const fill = (list: unknown[]) => ({ list, total: list.length, page: 1, size: 20 });
const named = (text: string) =>
  [...document.querySelectorAll<HTMLElement>('button')].find(({ textContent }) => textContent === text);
const field = () => document.querySelector<HTMLInputElement>('#top-up-amount');
const sent = (method: string) => shop.requests.filter((request) => request.method === method);

/** Types as a browser does: React hears of a value only where its own setter was not called. */
async function type(text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field(), text);
  field()?.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(field()?.value).toBe(text));
}

async function open() {
  const island = document.createElement('shop-island');
  document.body.append(island);
  await (await import('.')).default(island, { most: 5000 });
  await vi.waitFor(() => expect(field()).not.toBeNull());
  return island;
}

beforeEach(async () => {
  freshBrowser();
  go.mockReset();
  vi.spyOn(location, 'assign').mockImplementation(go);
  shop = new FakeShop([]);
  logInAs('mei@example.com');
  shop.answers.set('/pc/user/userInfo', { account: 'mei@example.com', balance: 62.3 });
  shop.answers.set('/recharge', fill([]));
  shop.answers.set(STATEMENT, fill([]));
  shop.answers.set(
    '/pc/payTypes',
    ['5', 'Paypal', '0', 'transfer'].map((payType) => ({
      payType,
      payCode: 'x',
      payName: payType,
      payNameEn: payType,
      payHint: '',
      payHintEn: '',
      img: '/x.webp',
    })),
  );
  await (await import('../i18n')).loadTexts();
});

it('lists what moved the wallet with the balance after it, and links to orders and top-ups', async () => {
  shop.answers.set(
    STATEMENT,
    fill([
      entry(3, { amount: -7.7, balance: 62.3, reason: '订单付款', orderNo: 'S1A' }),
      entry(2, { amount: 20, balance: 70, reason: '充值', rechargeNo: 'R1B' }),
      entry(1, { amount: 50, balance: 50, reason: '新的原因' }),
    ]),
  );
  const island = await open();
  await vi.waitFor(() => expect(island.querySelectorAll('tbody tr')).toHaveLength(3));
  const rows = [...island.querySelectorAll('tbody tr')].map((row) => [
    row.querySelector('th')?.firstChild?.textContent,
    ...[...row.querySelectorAll('td')].map(({ textContent }) => textContent),
    row.querySelector('a')?.getAttribute('href'),
  ]);
  expect(rows).toEqual([
    ['Order payment', '−A$7.70', 'A$62.30', '/home/account/orderdetails/S1A'],
    ['Top-up', '+A$20.00', 'A$70.00', '/home/payResult/R1B'],
    ['新的原因', '+A$50.00', 'A$50.00', undefined],
  ]);
  expect(island.querySelector('.wallet__balance')?.textContent).toBe('A$62.30');
});

it('tops up by an amount and a way, and goes to where that is paid', async () => {
  shop.refuseNext(
    { result: { rechargeNo: 'R1B', jumpUrl: '/sandbox-pay/R1B-1' } },
    ({ method, path }) => method === 'POST' && path === '/recharge',
  );
  await open();
  expect(document.querySelectorAll('input[type=radio]')).toHaveLength(2);
  named('A$50.00')?.click();
  await vi.waitFor(() => expect(field()?.value).toBe('50'));
  document.querySelectorAll<HTMLInputElement>('input[type=radio]')[1]?.click();
  await type('49.90');
  await vi.waitFor(() => expect(named('Top up A$49.90')).toBeDefined());
  named('Top up A$49.90')?.click();
  await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith('/sandbox-pay/R1B-1'));
  expect(sent('POST').map(({ body }) => body)).toEqual([
    { payType: 'Paypal', rechargeAmount: 49.9, source: 'web' },
  ]);
});

it.each([
  ['0.99', 'from A$1.00 to A$5,000.00'],
  ['5000.01', 'from A$1.00 to A$5,000.00'],
  ['', 'in dollars and cents'],
  ['1.005', 'in dollars and cents'],
])('asks for another amount than "%s"', async (text, words) => {
  await open();
  await type(text);
  named('Top up')?.click();
  await vi.waitFor(() => expect(document.querySelector('.field .error')?.textContent).toContain(words));
  expect(sent('POST')).toEqual([]);
});

it('shows at the amount what the shop refuses of it', async () => {
  shop.refuseNext(
    { code: 1002, reason: 'parameter_error', fields: { rechargeAmount: 'parameter_error' } },
    ({ method, path }) => method === 'POST' && path === '/recharge',
  );
  await open();
  await type('50');
  named('Top up A$50.00')?.click();
  await vi.waitFor(() =>
    expect(document.querySelector('.field .error')?.textContent).toContain('from A$1.00'),
  );
  expect(go).not.toHaveBeenCalled();
});

it('shows open top-ups with all else of the page, which they would push down later', async () => {
  shop.answers.set('/recharge', fill([topUp('R1B')]));
  const island = document.createElement('shop-island');
  document.body.append(island);
  await (await import('.')).default(island, { most: 5000 });
  await vi.waitFor(() => expect(island.querySelector('#top-up-title')).not.toBeNull());
  expect(named('Continue')).toBeDefined();
});

it('shows the wallet where its open top-ups cannot be loaded', async () => {
  shop.refuseNext({ code: 1, reason: 'unknown' }, ({ path }) => path.startsWith('/recharge?'));
  await open();
  expect(named('Try again')).toBeDefined();
});

it('goes on with an open top-up, and shows it where it was paid in the meantime', async () => {
  shop.answers.set('/recharge', fill([topUp('R1B')]));
  shop.answers.set('/recharge/continue/R1B', { rechargeNo: 'R1B', jumpUrl: '/sandbox-pay/R1B-1' });
  const island = await open();
  await vi.waitFor(() => expect(named('Continue')).toBeDefined());
  expect(shop.requests.some(({ path }) => path.startsWith('/recharge?status=unpaid'))).toBe(true);
  named('Continue')?.click();
  await vi.waitFor(() => expect(go).toHaveBeenCalledExactlyOnceWith('/sandbox-pay/R1B-1'));
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));

  shop.answers.set('/recharge', fill([]));
  shop.answers.set('/recharge/continue/R1B', { rechargeNo: 'R1B', jumpUrl: null });
  shop.answers.set('/pc/pay/result/R1B', { paid: true });
  await vi.waitFor(() => expect(named('Continue')?.getAttribute('aria-busy')).toBeNull());
  named('Continue')?.click();
  await vi.waitFor(() => expect(named('Continue')).toBeUndefined());
  const { toasts } = await import('../ui/toast');
  expect(toasts.value.map(({ text }) => text)).toEqual(['Your top-up of A$20.00 has arrived']);
  expect(island.querySelector('h1')?.textContent).toBe('Wallet');
});
