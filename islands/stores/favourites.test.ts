import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime('2026-11-26T10:00:00Z');
  shop = new FakeShop([makeProduct(1)]);
  shop.answers.set('/pc/favourites/goodsIds', { goodsIds: [3, 2] });
  for (const path of ['0/goods', '0/goods/3', '8/goods']) shop.answers.set(`/pc/favourites/${path}`, 1);
  logInAs('mei@example.com');
});

/** Waits for what calls the shop. */
async function done<T>(work: Promise<T>): Promise<T> {
  await Promise.all([work.catch(() => {}), vi.runAllTimersAsync()]);
  return work;
}

const hearts = () =>
  [...document.querySelectorAll('button')].map((each) => each.getAttribute('aria-pressed'));

it('fills the hearts of what is in the default list, as soon as it changes', async () => {
  document.body.innerHTML = [3, 4].map((id) => `<button data-favourite="${id}"></button>`).join('');
  const { loadFavourites, mark, unmark, favourites } = await import('./favourites');
  const { paintBadge } = await import('../badge');
  paintBadge();
  expect(hearts()).toEqual(['false', 'false']);
  await done(loadFavourites());
  expect(hearts()).toEqual(['true', 'false']);
  await done(mark(4));
  expect([hearts(), favourites()]).toEqual([
    ['true', 'true'],
    [4, 3, 2],
  ]);
  await done(unmark(3));
  expect(hearts()).toEqual(['false', 'true']);
  // Another list has nothing to do with the heart.
  await done(mark(3, 8));
  expect(hearts()).toEqual(['false', 'true']);
  const { endSession } = await import('./session');
  endSession();
  expect(hearts()).toEqual(['false', 'false']);
});

it('are loaded where a page and the start of a visit ask immediately', async () => {
  const { loadFavourites, favourites } = await import('./favourites');
  await done(Promise.all([loadFavourites(), loadFavourites()]));
  expect(favourites()).toEqual([3, 2]);
});

it('changes nothing where the shop refuses', async () => {
  const { loadFavourites, mark, favourites } = await import('./favourites');
  await done(loadFavourites());
  shop.refuseNext({ code: 1, reason: 'lists_full' });
  await expect(done(mark(4))).rejects.toMatchObject({ reason: 'lists_full' });
  expect(favourites()).toEqual([3, 2]);
});

it('keeps what a guest wanted to mark once, for half an hour', async () => {
  const { takeWanted, wantFavourite } = await import('./favourites');
  expect(takeWanted()).toBe(0);
  wantFavourite(4);
  expect(takeWanted()).toBe(4);
  expect(takeWanted()).toBe(0);
  wantFavourite(5);
  vi.setSystemTime('2026-11-26T10:31:00Z');
  expect(takeWanted()).toBe(0);
});
