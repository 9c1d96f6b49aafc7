// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PayResult } from '../api/types';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;

async function open(answer: Partial<PayResult>) {
  const { orderNo } = answer;
  shop.answers.set(`/pc/pay/result/${orderNo}`, { paid: false, failed: false, status: 1, ...answer });
  const island = document.createElement('shop-island');
  document.body.append(island);
  await (await import('.')).default(island, { id: orderNo ?? '', failed: 'Not through', advice: 'Again.' });
  // Rendering takes time that the test's clock does not count, and the looking begins after it.
  await vi.waitFor(() => expect(shop.requests).not.toEqual([]));
  await vi.advanceTimersByTimeAsync(70_000);
  await vi.dynamicImportSettled();
  return island;
}

const links = () => [...document.querySelectorAll('a')].map((link) => link.getAttribute('href'));

beforeEach(async () => {
  freshBrowser();
  shop = new FakeShop([]);
  logInAs('mei@example.com');
  await (await import('../i18n')).loadTexts();
});

const TOP_UP = { orderNo: 'R1B', payAmount: 50, isRecharge: true };

it('links from a paid top-up to the wallet', async () => {
  const island = await open({ ...TOP_UP, paid: true, status: 2, leftToPay: null });
  expect(island.querySelector('h1')?.textContent).toBe('Your wallet is topped up');
  expect(island.textContent).toContain('A$50.00 is in your wallet now');
  expect(links()).toEqual(['/home/account/wallet']);
});

it('shows that it is working while the payment is looked for', async () => {
  const island = document.createElement('shop-island');
  document.body.append(island);
  shop.answers.set('/pc/pay/result/R1B', { ...TOP_UP, paid: false, failed: false, status: 1, leftToPay: 50 });
  await (await import('.')).default(island, { id: 'R1B', failed: '', advice: '' });
  await vi.advanceTimersByTimeAsync(5000);
  const region = island.querySelector('[aria-live=polite]');
  expect(region?.querySelector('.spinner')).not.toBeNull();
  expect(region?.textContent).toContain('Checking your payment…');
  await vi.advanceTimersByTimeAsync(2000);
  await vi.waitFor(() => expect(region?.querySelector('.spinner')).toBeNull());
});

it.each([
  [true, 'Not through', 'you can top up again there'],
  [false, 'Your top-up is not paid yet', 'If you’ve paid, check again in a few minutes before paying again.'],
])('shows of an unpaid top-up whether it failed: %s', async (failed, heading, words) => {
  const island = await open({ ...TOP_UP, failed, leftToPay: 50 });
  expect(island.querySelector('h1')?.textContent).toBe(heading);
  expect(island.textContent).toContain(words);
  expect(links()).toEqual(['/home/account/wallet']);
});

it('shows what is left to pay of an order of which a part is paid', async () => {
  const order = { orderNo: 'S1A', payAmount: 20, isRecharge: false };
  const island = await open({ ...order, failed: true, leftToPay: 7.7 });
  expect(island.textContent).toContain('Already paid−A$12.30Left to payA$7.70');
  expect(links()[0]).toBe('/home/account/orderdetails/S1A#pay');
});
