import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';
import { listingQuery, readListing } from './listing';

describe('the listing of the URL', () => {
  it('names a list and a page, and falls back to the first page of the default list', () => {
    expect(readListing('?list=7&page=2')).toEqual({ list: 7, page: 2 });
    for (const query of ['', '?list=x&page=-1', '?list=1.5&page=0', '?list=-3']) {
      expect(readListing(query)).toEqual({ list: 0, page: 1 });
    }
    for (const listing of [
      { list: 0, page: 1 },
      { list: 7, page: 3 },
    ]) {
      expect(readListing(listingQuery(listing))).toEqual(listing);
    }
  });
});

describe('adding a whole list to the cart', () => {
  let shop: FakeShop;

  beforeEach(() => {
    freshBrowser();
    logInAs('mei@example.com');
    shop = new FakeShop([makeProduct(1), makeProduct(2)]);
    const goods = [
      makeProduct(1),
      makeProduct(2),
      makeProduct(3, { goodsStockAmount: 0 }),
      makeProduct(4, { minAmount: 12 }),
      makeProduct(5),
    ].map((product) => ({ ...product, isOnSale: product.goodsId !== 5 }));
    shop.answers.set('/pc/favourites/0/goods', { list: goods, total: 5, page: 1, size: 100 });
  });

  /** Waits for what imports modules and calls the shop. */
  async function done<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    void work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await vi.dynamicImportSettled();
      await vi.runAllTimersAsync();
    }
    return work;
  }

  it('takes what can be bought and is not there yet, by one call', async () => {
    shop.amounts.set(1, 7);
    const { addAll } = await import('./add-all');
    expect(await done(addAll(0))).toEqual({ added: 1, left: 0 });
    expect([...shop.amounts]).toEqual([
      [1, 7],
      [2, 1],
    ]);
    const pushes = shop.requests.filter(({ path }) => path.startsWith('/pc/shoppingcartUpdate'));
    expect(pushes.map(({ body }) => body)).toEqual([[{ goodsId: 2, goodsAmount: 1 }]]);
    expect(await done(addAll(0))).toEqual({ added: 0, left: 0 });
  });
});
