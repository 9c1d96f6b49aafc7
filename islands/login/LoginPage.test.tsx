import { act } from 'react';
import { expect, it, vi } from 'vitest';
import type { Session } from '../api/types';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

it('welcomes a customer who has registered, and goes on where they wanted', async () => {
  freshBrowser();
  const shop = new FakeShop([]);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.doMock('./NewPasswordForm', () => ({
    NewPasswordForm: ({ onSubmit }: { onSubmit: (entry: object) => Promise<void> }) => (
      <button type="button" data-register onClick={() => onSubmit({ account: 'mei@example.com' })} />
    ),
  }));
  vi.doMock('../stores/login', () => ({
    enter: async (session: Session) => (await import('../stores/session')).signIn(session),
  }));
  shop.answers.set('/pc/register', { token: 't', account: 'mei@example.com', nickname: 'Mei', level: 1 });
  history.replaceState(null, '', '/home/login#register');
  const { default: mount } = await import('.');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() => mount(element, { smsCountries: ['AU'], terms: '/home/terms' }));
  const links = () => [...element.querySelectorAll('a')].map((link) => link.getAttribute('href'));
  expect(links()).toEqual(expect.arrayContaining(['/home/terms', '/home/privacyPolicy']));
  await act(async () => element.querySelector<HTMLElement>('[data-register]')?.click());
  await vi.waitFor(() => expect(element.querySelector('h1')?.textContent).toBe('Welcome, Mei'));
  expect(links()).toEqual(['/home', '/home/account/useraddress']);
  for (const path of ['./NewPasswordForm', '../stores/login']) vi.doUnmock(path);
});

it('counts the products of promotions that still run among those that come with the login', async () => {
  freshBrowser();
  new FakeShop([]);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.setSystemTime('2026-11-20T02:00:00Z');
  const { writePromotions, writeSnapshot } = await import('../stores/snapshot');
  const line = (goodsId: number, goodsAmount: number) => ({ goodsId, goodsAmount, checked: true }) as never;
  const promotion = (goodsActionTypeId: number, endTimeIso: string, goodsAmount: number) =>
    ({ goodsActionTypeId, endTimeIso, shoppingCart: [line(goodsActionTypeId, goodsAmount)] }) as never;
  writeSnapshot('cart', { owner: '', lines: [line(1, 2)] });
  writePromotions([promotion(7, '2026-11-21T00:00:00Z', 3), promotion(8, '2026-11-19T00:00:00Z', 4)]);
  const { default: mount } = await import('.');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() => mount(element, { smsCountries: ['AU'], terms: '' }));
  expect(document.querySelector('.notice')?.textContent).toBe(
    'Your cart (5 units) will still be there after you log in.',
  );
});

it('goes on to what was asked for once another tab has logged in', async () => {
  freshBrowser();
  new FakeShop([]);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  history.replaceState(null, '', '/home/login?redirect=%2Fhome%2Fcart');
  const replace = vi.spyOn(location, 'replace').mockImplementation(() => {});
  const { default: mount } = await import('.');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() => mount(element, { smsCountries: ['AU'], terms: '' }));
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(replace).not.toHaveBeenCalled();
  logInAs('mei@example.com');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(replace).toHaveBeenCalledExactlyOnceWith('/home/cart');
});
