import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from './testing/browser';
import { FakeShop } from './testing/fake-shop';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([]);
  logInAs('mei@example.com');
});

async function mount() {
  const island = document.createElement('shop-island');
  document.body.append(island);
  const { mountPersonal } = await import('./personal');
  await mountPersonal(island, () => <p>12 High Street</p>, {});
  expect(island.textContent).toBe('12 High Street');
  return island;
}

async function mounted() {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
  return { island: await mount(), reload };
}

const heardBy: [string, () => Event | undefined][] = [
  ['the storage’s event', () => new StorageEvent('storage', { key: 'token' })],
  ['the focus', () => new Event('focus')],
  ['being seen again', () => new Event('visibilitychange')],
  ['the back/forward cache', () => new Event('pageshow')],
];

it.each(heardBy)(
  'hides what was a customer’s own when another tab has replaced them, by %s',
  async (_by, event) => {
    const { island, reload } = await mounted();
    logInAs('jia@example.com');
    window.dispatchEvent(event() as Event);
    expect(island.hidden).toBe(true);
    await vi.runAllTimersAsync();
    expect(reload).toHaveBeenCalledOnce();
  },
);

it('hides all of a page before it is loaded again', async () => {
  const islands = [await mount(), await mount()];
  const seen: boolean[][] = [];
  vi.spyOn(location, 'reload').mockImplementation(() => {
    seen.push(islands.map(({ hidden }) => hidden));
  });
  logInAs('jia@example.com');
  window.dispatchEvent(new Event('focus'));
  await vi.runAllTimersAsync();
  expect(seen[0]).toEqual([true, true]);
});

it('hides it at a logout on the page itself, which continues automatically', async () => {
  const { island, reload } = await mounted();
  (await import('./stores/session')).endSession();
  await vi.runAllTimersAsync();
  expect(island.hidden).toBe(true);
  expect(reload).not.toHaveBeenCalled();
});

it('hides it when an answer shows that no customer is logged in', async () => {
  const { island, reload } = await mounted();
  const { call } = await import('./api/client');
  localStorage.removeItem('token');
  shop.refuseNext({ status: 401 });
  await Promise.all([call('POST', '/pc/orderInfo', {}).catch(() => {}), vi.runAllTimersAsync()]);
  expect(island.hidden).toBe(true);
  expect(reload).toHaveBeenCalledOnce();
});

it('leaves it while the same customer is there, also with a new token', async () => {
  const { island, reload } = await mounted();
  localStorage.setItem('token', 'another');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  window.dispatchEvent(new Event('focus'));
  expect(island.hidden).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});

it('asks nothing for a customer whose login ended while the island was loaded', async () => {
  const island = document.createElement('shop-island');
  const { mountPersonal } = await import('./personal');
  (await import('./stores/session')).endSession();
  const Asking = vi.fn(() => null);
  await mountPersonal(island, Asking, {});
  expect(Asking).not.toHaveBeenCalled();
  expect(island.hidden).toBe(true);
});

it.each(['before', 'while'])(
  'loads the page again where another tab has replaced the customer %s the texts are loaded',
  async (moment) => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    const island = document.createElement('shop-island');
    const { mountPersonal } = await import('./personal');
    const replace = () => {
      logInAs('jia@example.com');
      window.dispatchEvent(new Event('focus'));
    };
    if (moment === 'before') replace();
    const mounting = mountPersonal(island, () => null, {});
    if (moment === 'while') replace();
    await mounting;
    await vi.runAllTimersAsync();
    expect(island.hidden).toBe(true);
    expect(reload).toHaveBeenCalledOnce();
  },
);
