import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

let shop: FakeShop;

/** Waits for what imports modules and calls the shop. */
async function settled(work: Promise<void>): Promise<void> {
  let isDone = false;
  const ended = work
    .catch(() => {})
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    await vi.dynamicImportSettled();
    await vi.runAllTimersAsync();
  }
  await ended;
}

/** Does what the loader does on every page, and gives what was called. */
async function openPage(): Promise<string[]> {
  vi.resetModules();
  shop.requests.splice(0);
  const { beginsVisit } = await import('./visit');
  if (beginsVisit()) await settled((await import('./start-up')).startUp());
  // Ordinary and bulk cart are loaded together.
  return shop.requests.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
}

const ALL = [
  'GET /pc/user/userInfo',
  'GET /pc/shoppingCart',
  'GET /pc/shoppingCart',
  'POST /pc/setting/deliveryAddressNew',
  'GET /pc/favourites/goodsIds',
];

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([makeProduct(1)]);
  shop.answers.set('/pc/user/userInfo', { account: 'mei@example.com' });
  shop.answers.set('/pc/setting/deliveryAddressNew', { list: [] });
  shop.answers.set('/pc/favourites/goodsIds', { goodsIds: [1] });
});

describe('start-up', () => {
  it('loads customer, carts and addresses of a customer, in this order, once for each visit', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2);
    expect(await openPage()).toEqual(ALL);
    const { addressesState } = await import('./addresses');
    const { count } = await import('./carts');
    expect([addressesState.value, count.value]).toEqual(['ready', 4]);
    expect(await openPage()).toEqual([]);
    // Another tab, or another day.
    sessionStorage.clear();
    expect(await openPage()).toEqual(ALL);
  });

  it('shows delivery to the default address instead of a guest’s place, but not of a customer’s', async () => {
    const address = { addressId: 4, addType: 1, contacts: 'Mei', contactPhone: '', addressDetail: '' };
    const sydney = { countryName: 'Australia', provinceName: 'NSW', cityName: '', areaName: 'Sydney' };
    const list = [{ ...address, ...sydney, zipCode: '2000', isDefault: true }];
    shop.answers.set('/pc/setting/deliveryAddressNew', { list });
    const perth = { country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' };
    const { rememberTyped } = await import('./place');
    rememberTyped(perth);
    logInAs('mei@example.com');
    await openPage();
    const { knownPlace } = await import('./known-place');
    expect(knownPlace()?.city).toBe('2000');
    (await import('./place')).rememberTyped(perth);
    sessionStorage.clear();
    await openPage();
    expect(knownPlace()?.city).toBe('6000');
  });

  it('asks nothing more once another tab has ended the login', async () => {
    logInAs('mei@example.com');
    const answer = {
      get list() {
        localStorage.clear();
        return [];
      },
    };
    shop.answers.set('/pc/setting/deliveryAddressNew', answer);
    expect(await openPage()).toEqual(ALL.slice(0, -1));
  });

  it('marks what a customer wanted to mark as a guest, and goes on where that is refused', async () => {
    shop.answers.set('/pc/favourites/0/goods', 1);
    for (const refusal of [null, { code: 1, reason: 'goods_off_shelf' }]) {
      freshBrowser();
      (await import('./favourites')).wantFavourite(1);
      logInAs('mei@example.com');
      if (refusal) shop.refuseNext(refusal, ({ path }) => path === '/pc/favourites/0/goods');
      expect(await openPage()).toEqual([...ALL.slice(0, -1), 'POST /pc/favourites/0/goods', ALL.at(-1)]);
      expect(await openPage()).toEqual([]);
    }
  });

  it('calls nothing for a guest', async () => {
    expect(await openPage()).toEqual([]);
  });

  it('loads all again for the next customer, and when a page is reloaded', async () => {
    logInAs('mei@example.com');
    await openPage();
    logInAs('lin@example.com');
    expect(await openPage()).toEqual(ALL);
    const reload = [{ type: 'reload' }] as unknown as PerformanceEntryList;
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue(reload);
    expect(await openPage()).toEqual(ALL);
  });

  it.each([
    ['customer', 1],
    ['carts', 3],
  ])('tries again on the next page where the %s could not be loaded', async (_what, calls) => {
    logInAs('mei@example.com');
    shop.refuseNext('offline', ({ path }) =>
      path.startsWith(calls === 1 ? '/pc/user/userInfo' : '/pc/shoppingCart?type=Bulk'),
    );
    expect(await openPage()).toHaveLength(calls);
    expect(await openPage()).toEqual(ALL);
    expect(await openPage()).toEqual([]);
  });

  it('stops where the customer has gone in the meantime', async () => {
    logInAs('mei@example.com');
    vi.resetModules();
    const { startUp } = await import('./start-up');
    const { endSession } = await import('./session');
    // The answer to the first call comes with the logout.
    shop.refuseNext({ result: {} }, ({ path }) => {
      endSession();
      return path === '/pc/user/userInfo';
    });
    await settled(startUp());
    expect(shop.requests.map(({ path }) => path)).toEqual(['/pc/user/userInfo']);
    expect(sessionStorage.getItem('shop.visit')).toBeNull();
  });
});
