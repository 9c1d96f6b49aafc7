import { beforeEach, expect, it, vi } from 'vitest';
import type { Session } from '../api/types';
import { freshBrowser } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

const session = (account: string): Session => ({ token: `T-${account}`, nickname: '', level: 1, account });

/** Loads the session as a new page does. */
async function openPage() {
  vi.resetModules();
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  return import('./session');
}

function wake(): void {
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
}

/** Does something as another tab does, whose sessionStorage is its own. */
function inAnotherTab(act: () => void): void {
  const ours = { ...sessionStorage };
  act();
  sessionStorage.clear();
  for (const [key, value] of Object.entries(ours)) sessionStorage.setItem(key, value);
}

const stored = (area: Storage) => Object.keys(area).filter((key) => key.startsWith('shop.'));

beforeEach(() => {
  freshBrowser();
  new FakeShop([makeProduct(1)]);
});

it('keeps the cart of a guest when Back shows a page on which a customer was logged in', async () => {
  const { account, signIn } = await openPage();
  signIn(session('mei@example.com'));
  (await openPage()).endSession();
  const cart = await import('./cart');
  cart.add(makeProduct(1), 3);
  wake();
  expect(account.value).toBe('');
  expect((await import('./snapshot')).readSnapshot('cart').lines).toMatchObject([{ goodsAmount: 3 }]);
});

it('keeps promotions and draft of the next customer when Back shows a page of the one before', async () => {
  const { account, signIn } = await openPage();
  signIn(session('mei@example.com'));
  const next = await openPage();
  next.endSession();
  next.signIn(session('lin@example.com'));
  localStorage.setItem('shop.promotionCart', '[7]');
  sessionStorage.setItem('shop.draft', '{}');
  wake();
  expect(account.value).toBe('lin@example.com');
  expect(stored(localStorage)).toContain('shop.promotionCart');
  expect(stored(sessionStorage)).toContain('shop.draft');
});

it("removes a customer's draft from a tab that hears of the logout of another, or only opens a page later", async () => {
  for (const hears of [true, false]) {
    const { signIn } = await openPage();
    signIn(session('mei@example.com'));
    sessionStorage.setItem('shop.draft', '{}');
    const { endSession } = await openPage();
    inAnotherTab(endSession);
    expect(stored(sessionStorage)).toContain('shop.draft');
    if (hears) window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    else await openPage();
    expect(stored(sessionStorage)).toEqual([]);
  }
});

it("takes a guest's draft along to the login", async () => {
  const { signIn } = await openPage();
  sessionStorage.setItem('shop.draft', '{}');
  signIn(session('mei@example.com'));
  expect(stored(sessionStorage)).toContain('shop.draft');
});

it('leaves nothing of a customer to another one who logs in immediately, and all of a guest to the first', async () => {
  const { signIn } = await openPage();
  localStorage.setItem('shop.promotionCart', '[]');
  signIn(session('mei@example.com'));
  expect(stored(localStorage)).toContain('shop.promotionCart');
  signIn(session('mei@example.com'));
  expect(stored(localStorage)).toContain('shop.promotionCart');
  sessionStorage.setItem('shop.cart.unsaved', '{}');
  signIn(session('lin@example.com'));
  expect(stored(localStorage)).toEqual([]);
  expect(stored(sessionStorage)).toEqual(['shop.owner']);
});

it('shows a new nickname here and in every other tab', async () => {
  const { displayName, rename, signIn } = await openPage();
  signIn({ ...session('mei@example.com'), nickname: 'Mei' });
  const renamed = vi.fn();
  document.addEventListener('shop:nickname', renamed);
  rename('小梅');
  rename('小梅');
  expect([displayName.value, localStorage.getItem('nickname')]).toEqual(['小梅', '小梅']);
  expect(renamed).toHaveBeenCalledTimes(1);
  localStorage.setItem('nickname', '梅');
  window.dispatchEvent(new StorageEvent('storage', { key: 'nickname', newValue: '梅' }));
  expect(displayName.value).toBe('梅');
});
