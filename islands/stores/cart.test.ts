import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';
import { totalOf } from './snapshot';

const [RICE, TEA, HONEY] = [
  makeProduct(1),
  makeProduct(2, { memberPrice: 26.8 }),
  makeProduct(3, { memberPrice: 62 }),
];
const QUIET = 350;

let shop: FakeShop;

/** Loads the cart store as a new page does. */
async function openPage() {
  vi.resetModules();
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  return import('./cart');
}

async function toastTexts(): Promise<string[]> {
  const { toasts } = await import('../ui/toast');
  return toasts.value.map((toast) => toast.text);
}

type Cart = Awaited<ReturnType<typeof openPage>>;
const amounts = (cart: Cart) => cart.lines.value.map((line) => [line.goodsId, line.goodsAmount]);

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
  ])('says "successfully" of what was added or removed, in %s', async (language, added, removed) => {
    document.documentElement.lang = language;
    const cart = await openPage();
    cart.add(RICE, 1);
    expect(await toastTexts()).toEqual([added]);
    cart.remove(RICE.goodsId);
    expect(await toastTexts()).toEqual([removed]);
  });

  it('says to screen readers alone that an amount was changed successfully', async () => {
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
    const warning = 'Advance order: 2 is the most you can buy.';
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
  });

  it('refuses a product that is sold out', async () => {
    const cart = await openPage();
    cart.add(makeProduct(4, { goodsStockAmount: 0 }), 1);
    expect(cart.lines.value).toEqual([]);
    expect(await toastTexts()).toEqual(['Sold out. Remove it, or wait until it is back.']);
  });

  it('starts at the minimum amount and removes the line below it', async () => {
    const cart = await openPage();
    cart.add(makeProduct(4, { minAmount: 3 }), 1);
    expect(amounts(cart)).toEqual([[4, 3]]);
    cart.change(4, -1);
    expect(cart.lines.value).toEqual([]);
  });
});

describe('a customer', () => {
  beforeEach(() => logInAs('mei@example.com'));

  it("loads the server's cart with all lines unchecked", async () => {
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    expect(amounts(cart)).toEqual([
      [2, 1],
      [1, 2],
    ]);
    expect(cart.checked.value).toEqual([]);
  });

  it('sends one request with the last amount for many quick changes of a line', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.add(RICE, 1);
    cart.change(1, 1);
    await vi.advanceTimersByTimeAsync(QUIET - 1);
    cart.change(1, 1);
    expect(shop.writes).toEqual([]);
    expect(cart.saving.value).toBe(true);
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual(['POST 1:3']);
    expect(cart.saving.value).toBe(false);
    cart.change(1, -1);
    await vi.runAllTimersAsync();
    cart.remove(1);
    await vi.runAllTimersAsync();
    expect(shop.writes.slice(1)).toEqual(['PUT 1:2', 'DELETE /pc/shoppingCart/1?type=DirectMailCart']);
    expect([...shop.amounts]).toEqual([]);
  });

  it('keeps the latest amount when an older answer arrives after it was changed', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.delay = 1000;
    cart.add(RICE, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 100);
    cart.setAmount(1, 6);
    await vi.advanceTimersByTimeAsync(1000);
    expect(amounts(cart)).toEqual([[1, 6]]);
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual(['POST 1:1', 'PUT 1:6']);
    expect([...shop.amounts]).toEqual([[1, 6]]);
  });

  it('rolls a failed change back, says why under the line, and sends nothing more', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.refuseNext('offline');
    cart.change(1, 3);
    expect(amounts(cart)).toEqual([[1, 5]]);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[1, 2]]);
    expect(cart.messages.value[1]).toBe(
      'Not saved: Network disconnection, please check your network connection ~',
    );
    expect(await toastTexts()).toEqual(['Network disconnection, please check your network connection ~']);
    expect(shop.writes).toEqual(['PUT 1:5']);
  });

  it('rolls back a product that could not be added, and one that could not be removed', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.refuseNext({ code: 1, reason: 'goods_off_shelf', msg: '商品已下架' });
    cart.add(TEA, 1);
    expect(await toastTexts()).toEqual(['Added to the cart successfully: Product 2']);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[1, 2]]);
    expect(await toastTexts()).toEqual(['This item has been removed from the shelves']);
    shop.refuseNext({ status: 500 });
    cart.remove(1);
    expect(cart.lines.value).toEqual([]);
    await vi.runAllTimersAsync();
    expect(amounts(cart)).toEqual([[1, 2]]);
  });

  it('shows an amount that the server limited, with its reason', async () => {
    const scarce = makeProduct(5);
    shop.products.push(scarce);
    shop.amounts.set(5, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    scarce.limitAmount = 2;
    cart.change(5, 4);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[5, 2]]);
    expect(cart.messages.value[5]).toBe('The quantity exceeds the maximum that can be purchased');
  });

  it('shows that the server raised an amount to the minimum', async () => {
    const cased = makeProduct(5);
    shop.products.push(cased);
    shop.amounts.set(5, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cased.minAmount = 6;
    cart.change(5, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[5, 6]]);
    expect(cart.messages.value[5]).toBe('The quantity was raised to the minimum or to whole cartons');
  });

  it('has every change on the server once flush has resolved', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.delay = 50;
    cart.add(RICE, 1);
    cart.add(TEA, 4);
    const flushed = cart.flush().then(() => [...shop.amounts]);
    await vi.advanceTimersByTimeAsync(QUIET - 1);
    expect(await flushed).toEqual([
      [1, 1],
      [2, 4],
    ]);
    expect(shop.writes).toEqual(['POST 1:1', 'POST 2:4']);
  });

  it('sends pending changes when the page unloads', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.add(RICE, 2);
    window.dispatchEvent(new Event('pagehide'));
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual(['POST 1:2']);
  });

  describe('on a page that is left while a new line is being written', () => {
    async function leave(act: (cart: Cart) => void, latestArrivesFirst = false) {
      const cart = await openPage();
      await vi.runAllTimersAsync();
      shop.delay = 300;
      cart.add(RICE, 2);
      await vi.advanceTimersByTimeAsync(QUIET + 50);
      act(cart);
      const shown = amounts(cart);
      if (latestArrivesFirst) shop.delay = 0;
      window.dispatchEvent(new Event('pagehide'));
      await vi.runAllTimersAsync();
      return shown;
    }

    it.each([
      [1, false],
      [1, true],
      [2, false],
    ])('%i more units come to what was shown; the latest arrives first: %s', async (more, first) => {
      expect(await leave((cart) => cart.change(RICE.goodsId, more), first)).toEqual([[1, 2 + more]]);
      expect([...shop.amounts]).toEqual([[1, 2 + more]]);
    });

    it('fewer units, or none, are sent after it', async () => {
      await leave((cart) => cart.change(RICE.goodsId, -1));
      expect([...shop.amounts]).toEqual([[1, 1]]);
      shop.amounts.clear();
      localStorage.removeItem('shop.cart');
      await leave((cart) => cart.remove(RICE.goodsId));
      expect([...shop.amounts]).toEqual([]);
    });
  });

  it('keeps the checks across the pages of a tab, and starts a new visit without any', async () => {
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.check(1, true);
    const next = await openPage();
    await Promise.all([next.load(), vi.runAllTimersAsync()]);
    expect(next.checked.value.map((line) => line.goodsId)).toEqual([1]);
    sessionStorage.clear();
    expect((await openPage()).checked.value).toEqual([]);
  });

  it('keeps the check of a product that was added before a page that is left had the cart', async () => {
    shop.amounts.set(3, 1);
    shop.refuseNext('offline');
    const left = await openPage();
    await vi.runAllTimersAsync();
    shop.refuseNext('offline');
    left.add(RICE, 1);
    window.dispatchEvent(new Event('pagehide'));
    await vi.runAllTimersAsync();
    expect([...shop.amounts]).toEqual([[3, 1]]);
    const next = await openPage();
    await vi.runAllTimersAsync();
    expect(amounts(next)).toEqual([
      [1, 1],
      [3, 1],
    ]);
    expect(next.checked.value.map((line) => line.goodsId)).toEqual([RICE.goodsId]);
  });

  it('says why the cart could not be loaded, and can load it again', async () => {
    shop.amounts.set(1, 2);
    shop.refuseNext({ status: 500 });
    const cart = await openPage();
    await vi.runAllTimersAsync();
    expect(cart.loadError.value).toBe('Server exception, please try again later');
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(cart.loadError.value).toBe('');
    expect(amounts(cart)).toEqual([[1, 2]]);
  });

  describe('on the next page of the tab, after changes were waiting for their 350 ms', () => {
    /** Adds tea, changes rice and removes honey, then leaves the page; nothing that it sends arrives. */
    async function leave() {
      shop.amounts.set(1, 2).set(3, 4);
      const cart = await openPage();
      await vi.runAllTimersAsync();
      cart.add(TEA, 1);
      cart.change(1, 3);
      cart.remove(3);
      for (let request = 0; request < 3; request++) shop.refuseNext('offline');
      window.dispatchEvent(new Event('pagehide'));
      await vi.advanceTimersByTimeAsync(0);
      shop.requests.splice(0);
      return amounts(cart);
    }

    it('sends what did not arrive once more', async () => {
      const wanted = await leave();
      const next = await openPage();
      expect([amounts(next), next.saving.value]).toEqual([wanted, true]);
      await vi.runAllTimersAsync();
      expect([...shop.amounts].sort()).toEqual(wanted.sort());
      expect(next.saving.value).toBe(false);
      expect(Object.keys(sessionStorage).filter((key) => key.endsWith('.unsaved'))).toEqual([]);
    });

    it('keeps what arrived although the browser dropped it as the page was being left', async () => {
      const cart = await openPage();
      await vi.runAllTimersAsync();
      shop.refuseNext('offline');
      cart.add(TEA, 2);
      await vi.advanceTimersByTimeAsync(QUIET + 1);
      expect(cart.lines.value).toEqual([]);
      shop.amounts.set(2, 2);
      window.dispatchEvent(new Event('pagehide'));
      const next = await openPage();
      expect(amounts(next)).toEqual([[2, 2]]);
      await vi.runAllTimersAsync();
      expect([amounts(next), shop.writes]).toEqual([[[2, 2]], ['POST 2:2']]);
    });

    it('leaves what failed for good to the customer', async () => {
      const cart = await openPage();
      await vi.runAllTimersAsync();
      shop.refuseNext('offline');
      cart.add(TEA, 2);
      await vi.advanceTimersByTimeAsync(QUIET + 1001);
      window.dispatchEvent(new Event('pagehide'));
      const next = await openPage();
      await vi.runAllTimersAsync();
      expect([amounts(next), [...shop.amounts]]).toEqual([[], []]);
    });

    it('sends nothing that arrived after all', async () => {
      await leave();
      shop.amounts.clear();
      shop.amounts.set(1, 5).set(2, 1);
      await openPage();
      await vi.runAllTimersAsync();
      expect(shop.writes).toEqual([]);
    });

    it('takes over what another device has changed since', async () => {
      await leave();
      shop.amounts.set(1, 9).set(3, 7);
      const next = await openPage();
      await vi.runAllTimersAsync();
      expect(shop.writes).toEqual(['PUT 2:1']);
      expect(Object.fromEntries(amounts(next))).toEqual({ 1: 9, 2: 1, 3: 7 });
    });

    it('keeps it over one more page that is left at once', async () => {
      const wanted = await leave();
      await openPage();
      window.dispatchEvent(new Event('pagehide'));
      await openPage();
      await vi.runAllTimersAsync();
      expect([...shop.amounts].sort()).toEqual(wanted.sort());
    });

    it.each(['lin@example.com', ''])('gives nothing of it to the next one: "%s"', async (next) => {
      await leave();
      localStorage.clear();
      if (next) logInAs(next);
      const cart = await openPage();
      await vi.runAllTimersAsync();
      expect(shop.writes).toEqual([]);
      expect(Object.keys(sessionStorage).filter((key) => key.endsWith('.unsaved'))).toEqual([]);
      expect(amounts(cart).find(([id]) => id === TEA.goodsId)).toBeUndefined();
    });
  });

  it('empties the cart on the server by one call, and in storage', async () => {
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.change(1, 1);
    await Promise.all([cart.clear(), vi.runAllTimersAsync()]);
    expect(shop.writes).toEqual(['DELETE /pc/shoppingCart?type=DirectMailCart']);
    expect([...shop.amounts]).toEqual([]);
    expect([cart.lines.value, localStorage.getItem('shop.cart')]).toEqual([[], null]);
    cart.add(TEA, 1);
    await vi.runAllTimersAsync();
    expect([...shop.amounts]).toEqual([[2, 1]]);
  });

  it('shows no answer to a change that was under way when the cart was emptied', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.delay = 300;
    cart.change(1, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 100);
    const cleared = cart.clear();
    await vi.advanceTimersByTimeAsync(250);
    expect(cart.lines.value).toEqual([]);
    await Promise.all([cleared, vi.runAllTimersAsync()]);
    expect([cart.lines.value, [...shop.amounts]]).toEqual([[], []]);
  });

  it('has its lines and checks back when the cart could not be emptied', async () => {
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.check(2, true);
    shop.refuseNext('offline');
    const refused = expect(cart.clear()).rejects.toMatchObject({ reason: 'network' });
    await Promise.all([refused, vi.runAllTimersAsync()]);
    expect(amounts(cart)).toEqual([
      [2, 1],
      [1, 2],
    ]);
    expect(cart.checked.value.map((line) => line.goodsId)).toEqual([2]);
    expect(localStorage.getItem('shop.cart')).not.toBeNull();
  });

  it("never shows a customer's cart that arrives after the logout", async () => {
    shop.amounts.set(1, 2);
    shop.delay = 100;
    const cart = await openPage();
    await vi.advanceTimersByTimeAsync(50);
    const { endSession } = await import('./session');
    endSession();
    await vi.runAllTimersAsync();
    expect(cart.lines.value).toEqual([]);
    expect(localStorage.getItem('shop.cart')).toBeNull();
  });

  it('leaves an empty cart and storage at logout', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.change(1, 1);
    const { logOut } = await import('./session');
    await Promise.all([logOut(), vi.runAllTimersAsync()]);
    expect(cart.lines.value).toEqual([]);
    expect(cart.count.value).toBe(0);
    expect(localStorage.getItem('token')).toBeNull();
    expect(localStorage.length + sessionStorage.length).toBe(0);
  });
});

describe('login', () => {
  const session = { token: 'T', nickname: 'Mei', level: 1, account: 'mei@example.com' };

  it("loads the customer's cart, unchecked, where the guest has none", async () => {
    shop.amounts.set(1, 9);
    const cart = await openPage();
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    expect([amounts(cart), cart.checkedCount.value]).toEqual([[[1, 9]], 0]);
    expect(shop.writes).toEqual([]);
  });

  it("pushes the guest's cart once, with its amounts and checks", async () => {
    shop.amounts.set(1, 9).set(3, 1);
    const cart = await openPage();
    cart.add(RICE, 2);
    cart.add(TEA, 1);
    cart.check(TEA.goodsId, false);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    expect(Object.fromEntries(shop.amounts)).toEqual({ 1: 2, 2: 1, 3: 1 });
    expect(cart.checked.value.map((line) => line.goodsId)).toEqual([RICE.goodsId]);
    expect(cart.lines.value).toHaveLength(3);
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(shop.writes).toEqual(['POST /pc/shoppingcartUpdate?type=DirectMailCart']);
  });

  it("fetches the customer's cart even while the guest's products are being fetched", async () => {
    shop.amounts.set(3, 1);
    shop.delay = 100;
    const cart = await openPage();
    cart.add(RICE, 2);
    void cart.load();
    await vi.advanceTimersByTimeAsync(50);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    expect(amounts(cart)).toEqual([
      [1, 2],
      [3, 1],
    ]);
  });

  it('names the products that are no longer for sale', async () => {
    const cart = await openPage();
    cart.add(makeProduct(98), 1);
    cart.add(RICE, 1);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.advanceTimersByTimeAsync(1)]);
    expect(await toastTexts()).toContain('No longer available and taken out of your cart: Product 98');
    // The page may be left at once.
    await openPage();
    const { news } = await import('./cart-news');
    expect(news.value.map(({ goods }) => goods.map((line) => line.goodsEnglishName))).toEqual([
      ['Product 98'],
    ]);
    expect(amounts(cart)).toEqual([[1, 1]]);
  });

  it('says that an amount was more than can be bought', async () => {
    const cart = await openPage();
    cart.add(RICE, 8);
    shop = new FakeShop([{ ...RICE, goodsStockAmount: 3 }]);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.advanceTimersByTimeAsync(1)]);
    expect(amounts(cart)).toEqual([[1, 3]]);
    expect(await toastTexts()).toContain('The quantity exceeds the maximum that can be purchased');
  });

  it.each([
    ['next customer', 'lin@example.com', [[{ goodsId: TEA.goodsId, goodsAmount: 4 }]]],
    ['guest', '', []],
  ])('writes nothing of a customer who has gone into the cart of the %s', async (_who, next, expected) => {
    const cart = await openPage();
    cart.add(RICE, 2);
    shop.refuseNext('offline');
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    shop.delay = 300;
    cart.add(TEA, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 50);
    // Another tab ends the session while the cart is pushed again.
    localStorage.clear();
    if (next) logInAs(next);
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(cart.lines.value).toEqual([]);
    cart.add(TEA, 4);
    await vi.runAllTimersAsync();
    const sent = shop.requests.filter(({ headers }) => headers.token !== session.token);
    expect(sent.map(({ body }) => body)).toEqual(expected);
    expect(cart.lines.value.find((line) => line.goodsId === TEA.goodsId)?.goodsAmount).toBe(4);
  });

  it("keeps the guest's cart when it cannot be pushed, and pushes it on the next page", async () => {
    const cart = await openPage();
    cart.add(RICE, 2);
    shop.refuseNext('offline');
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    expect(amounts(cart)).toEqual([[1, 2]]);
    const next = await openPage();
    await vi.runAllTimersAsync();
    expect([...shop.amounts]).toEqual([[1, 2]]);
    expect(amounts(next)).toEqual([[1, 2]]);
  });

  it.each([
    [
      'an amount',
      (cart: Cart) => cart.change(RICE.goodsId, 1),
      [
        [RICE.goodsId, 3],
        [TEA.goodsId, 1],
      ],
    ],
    ['a removal', (cart: Cart) => cart.remove(RICE.goodsId), [[TEA.goodsId, 1]]],
  ] as const)(
    'pushes the whole cart with the first change after a push that failed: %s',
    async (_what, act, expected) => {
      const cart = await openPage();
      cart.add(RICE, 2);
      cart.add(TEA, 1);
      shop.refuseNext('offline');
      const { enter } = await import('./login');
      await Promise.all([enter(session), vi.runAllTimersAsync()]);
      act(cart);
      await vi.runAllTimersAsync();
      expect([...shop.amounts].sort()).toEqual(expected);
      expect(amounts(cart).sort()).toEqual(expected);
      expect(cart.loadError.value).toBe('');
    },
  );
});

describe('another tab', () => {
  it('takes the lines of the customer whom it has replaced, and what was to be written of them', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.add(TEA, 1);
    logInAs('jia@example.com');
    window.dispatchEvent(new Event('focus'));
    expect(cart.lines.value).toEqual([]);
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual([]);
  });

  it('has cleared the cart here too, and what is added then is written', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.amounts.clear();
    localStorage.removeItem('shop.cart');
    window.dispatchEvent(new StorageEvent('storage', { key: 'shop.cart' }));
    expect(cart.lines.value).toEqual([]);
    cart.add(TEA, 1);
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual(['POST 2:1']);
  });

  it('brings its changes, but neither its checks nor lines that are still being written here', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.check(2, true);
    cart.change(1, 3);
    const stored = JSON.parse(localStorage.getItem('shop.cart') ?? '');
    for (const line of stored.lines) Object.assign(line, { goodsAmount: 7, checked: false });
    localStorage.setItem('shop.cart', JSON.stringify(stored));
    window.dispatchEvent(new StorageEvent('storage', { key: 'shop.cart' }));
    expect(amounts(cart)).toEqual([
      [2, 7],
      [1, 5],
    ]);
    expect(cart.checked.value.map((line) => line.goodsId)).toEqual([2]);
  });

  it('undoes neither a removal nor an addition that is still to be written here', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    const before = localStorage.getItem('shop.cart') ?? '';
    cart.remove(1);
    cart.add(HONEY, 1);
    const other = (stored: string) => {
      localStorage.setItem('shop.cart', stored);
      window.dispatchEvent(new StorageEvent('storage', { key: 'shop.cart' }));
    };
    // The other tab shows the changes, then gets an older answer.
    other(localStorage.getItem('shop.cart') ?? '');
    other(before);
    expect(amounts(cart)).toEqual([
      [3, 1],
      [2, 1],
    ]);
    await vi.runAllTimersAsync();
    expect([...shop.amounts]).toEqual([
      [2, 1],
      [3, 1],
    ]);
  });
});
