import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';
import { amounts, HONEY, openPage, RICE, TEA, toastTexts } from '../testing/cart';
import { FakeShop, makeProduct } from '../testing/fake-shop';
import { totalOf } from './snapshot';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE, TEA, HONEY]);
});

describe('a guest', () => {
  it('keeps the cart across pages, newest first, without a request', async () => {
    const cart = await openPage();
    cart.add(RICE, 1);
    cart.add(TEA, 2);
    cart.change(RICE.goodsId, 2);
    expect(amounts(await openPage())).toEqual([
      [2, 2],
      [1, 3],
    ]);
    expect(shop.requests).toEqual([]);
  });

  it('removes a line whose amount falls to 0 or less', async () => {
    const cart = await openPage();
    cart.add(RICE, 1);
    cart.add(TEA, 1);
    cart.change(RICE.goodsId, -1);
    cart.setAmount(TEA.goodsId, -4);
    expect(cart.lines.value).toEqual([]);
  });

  it.each([
    ['en-AU', 'Added to the cart successfully: Product 1', 'Removed from the cart successfully: Product 1'],
    ['zh-Hans', '已成功加入购物车：商品1', '已成功从购物车删除：商品1'],
  ])('shows "successfully" of what was added or removed, in %s', async (language, added, removed) => {
    document.documentElement.lang = language;
    const cart = await openPage();
    cart.add(RICE, 1);
    expect(await toastTexts()).toEqual([added]);
    cart.remove(RICE.goodsId);
    expect(await toastTexts()).toEqual([removed]);
  });

  it('shows to screen readers alone that an amount was changed successfully', async () => {
    const cart = await openPage();
    cart.add(RICE, 1);
    const before = await toastTexts();
    cart.change(RICE.goodsId, 1);
    await vi.runAllTimersAsync();
    const region = document.querySelector('.announcer');
    expect([region?.getAttribute('role'), region?.classList.contains('vh'), region?.textContent]).toEqual([
      'status',
      true,
      'Changed successfully: 2 in the cart, Product 1',
    ]);
    expect(before).toHaveLength(1);
    expect(await toastTexts()).not.toContain(region?.textContent);
  });

  it('adds up the checked lines only, in cents', async () => {
    const cart = await openPage();
    cart.add(RICE, 3);
    cart.add(TEA, 1);
    expect(totalOf(cart.lines.value)).toBe(3 * 390 + 2680);
    cart.check(TEA.goodsId, false);
    expect(totalOf(cart.lines.value)).toBe(3 * 390);
    cart.checkAll(false);
    expect(cart.checked.value).toEqual([]);
    cart.checkAll(true);
    expect(cart.checkedCount.value).toBe(4);
  });

  it('buys a product now in the given amount, with only that line checked', async () => {
    const cart = await openPage();
    cart.add(RICE, 3);
    cart.add(TEA, 5);
    cart.putOnly(TEA, 2);
    expect(cart.checked.value.map((line) => [line.goodsId, line.goodsAmount])).toEqual([[2, 2]]);
    expect(amounts(cart)).toEqual([
      [2, 2],
      [1, 3],
    ]);
  });

  it('empties the cart and removes it from storage', async () => {
    const cart = await openPage();
    cart.add(RICE, 1);
    await cart.clear();
    expect([cart.lines.value, localStorage.getItem('shop.cart'), shop.requests]).toEqual([[], null, []]);
    expect((await openPage()).lines.value).toEqual([]);
  });

  it('brings a cart back on the next page where the browser could not store it', async () => {
    const cart = await openPage();
    cart.add(RICE, 1);
    const refuse = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    cart.add(TEA, 2);
    window.dispatchEvent(new Event('pagehide'));
    refuse.mockRestore();
    expect(amounts(await openPage())).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  it('updates prices, and unchecks products that are no longer for sale', async () => {
    const cart = await openPage();
    cart.add(makeProduct(99), 1);
    cart.add({ ...RICE, memberPrice: 1 }, 2);
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(cart.lines.value.map((line) => [line.goodsId, line.memberPrice, line.available])).toEqual([
      [1, 3.9, true],
      [99, 3.9, false],
    ]);
    cart.checkAll(true);
    expect(totalOf(cart.lines.value)).toBe(780);
  });

  it('fetches all its lines in one request, and nothing with an empty cart', async () => {
    const cart = await openPage();
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(shop.requests).toEqual([]);
    cart.add(RICE, 1);
    cart.add(TEA, 2);
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(shop.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/pc/goods/batch', { goodsIds: [2, 1] }],
    ]);
  });

  it('keeps its lines when the request fails', async () => {
    const cart = await openPage();
    cart.add(RICE, 2);
    const before = cart.lines.value;
    shop.refuseNext('offline');
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(cart.lines.value).toEqual(before);
  });
});

describe('limits', () => {
  it('limits an advance product to its stock, with a message', async () => {
    const cart = await openPage();
    cart.add(makeProduct(4, { isAdvance: '1', goodsStockAmount: 2 }), 1);
    const warning = 'Product 4: Advance order: only 2 available';
    expect(await toastTexts()).not.toContain(warning);
    cart.change(4, 1);
    expect(await toastTexts()).toContain(warning);
    cart.change(4, 1);
    expect(amounts(cart)).toEqual([[4, 2]]);
    expect(await toastTexts()).toContain(warning);
  });

  it('limits an amount to the limit per customer when that is below the stock', async () => {
    const cart = await openPage();
    cart.add(makeProduct(4, { limitAmount: 3 }), 7);
    expect(amounts(cart)).toEqual([[4, 3]]);
    expect(await toastTexts()).toEqual([
      'Product 4: At most 3 for each customer. Your cart has as many as you can buy.',
    ]);
  });

  it.each([
    [
      'en-AU',
      'Product 4: Only 5 available. Your cart has as many as you can buy.',
      'Added to the cart successfully: Product 1',
    ],
    ['zh-Hans', '商品4：仅剩 5 件。已按可购数量放入购物车。', '已成功加入购物车：商品1'],
  ])('shows "successfully" only of what was added whole, in %s', async (language, capped, added) => {
    document.documentElement.lang = language;
    const cart = await openPage();
    const scarce = makeProduct(4, { goodsStockAmount: 5 });
    expect(
      cart.addAll([
        { product: scarce, amount: 500 },
        { product: RICE, amount: 2 },
      ]),
    ).toBe(false);
    expect(await toastTexts()).toEqual([capped, added]);
    expect(amounts(cart)).toEqual([
      [1, 2],
      [4, 5],
    ]);
    // A change that changes nothing is no success either.
    cart.change(4, 1);
    await vi.advanceTimersByTimeAsync(200);
    expect(document.querySelector('.announcer')).toBeNull();
  });

  it('refuses a product that is sold out', async () => {
    const cart = await openPage();
    cart.add(makeProduct(4, { goodsStockAmount: 0 }), 1);
    expect(cart.lines.value).toEqual([]);
    expect(await toastTexts()).toEqual(['Sold out. Remove it, or wait until it’s back in stock.']);
  });

  it('starts at the minimum amount and removes the line below it', async () => {
    const cart = await openPage();
    cart.add(makeProduct(4, { minAmount: 3 }), 1);
    expect(amounts(cart)).toEqual([[4, 3]]);
    cart.change(4, -1);
    expect(cart.lines.value).toEqual([]);
  });
});
