import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeGoods } from '../testing/fake-shop';

const [RICE, TEA, HONEY] = [
  makeGoods(1),
  makeGoods(2, { memberPrice: 26.8 }),
  makeGoods(3, { memberPrice: 62 }),
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
  const { toasts } = await import('./toast');
  return toasts.value.map((toast) => toast.text);
}

type Cart = Awaited<ReturnType<typeof openPage>>;
const amounts = (cart: Cart) => cart.lines.value.map((line) => [line.goodsId, line.goodsAmount]);

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE, TEA, HONEY]);
});

describe('a guest', () => {
  it('keeps the cart across pages, newest first, without asking the server', async () => {
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

  it('adds up the checked lines only, in cents', async () => {
    const cart = await openPage();
    cart.add(RICE, 3);
    cart.add(TEA, 1);
    expect(cart.total.value).toBe(3 * 390 + 2680);
    cart.check(TEA.goodsId, false);
    expect(cart.total.value).toBe(3 * 390);
    cart.checkAll(false);
    expect(cart.checked.value).toEqual([]);
    cart.checkAll(true);
    expect(cart.checkedCount.value).toBe(4);
  });

  it('buys one goods now with only that one checked and exactly the amount asked for', async () => {
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

  it('learns new prices and goods that are gone, and never checks those', async () => {
    const cart = await openPage();
    cart.add(makeGoods(99), 1);
    cart.add({ ...RICE, memberPrice: 1 }, 2);
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(cart.lines.value.map((line) => [line.goodsId, line.memberPrice, line.available])).toEqual([
      [1, 3.9, true],
      [99, 3.9, false],
    ]);
    cart.checkAll(true);
    expect(cart.total.value).toBe(780);
  });
});

describe('limits', () => {
  it('caps an advance goods at its stock and says so', async () => {
    const cart = await openPage();
    cart.add(makeGoods(4, { isAdvance: '1', goodsStockAmount: 2 }), 1);
    cart.change(4, 1);
    cart.change(4, 1);
    expect(amounts(cart)).toEqual([[4, 2]]);
    expect(await toastTexts()).toContain('Advance order: 2 is the most you can buy.');
  });

  it('caps at the limit per customer when it is below the stock', async () => {
    const cart = await openPage();
    cart.add(makeGoods(4, { limitAmount: 3 }), 7);
    expect(amounts(cart)).toEqual([[4, 3]]);
  });

  it('refuses a goods that is sold out', async () => {
    const cart = await openPage();
    cart.add(makeGoods(4, { goodsStockAmount: 0 }), 1);
    expect(cart.lines.value).toEqual([]);
    expect(await toastTexts()).toEqual(['Sold out. Remove it, or wait until it is back.']);
  });

  it('begins at the least amount and removes below it', async () => {
    const cart = await openPage();
    cart.add(makeGoods(4, { minAmount: 3 }), 1);
    expect(amounts(cart)).toEqual([[4, 3]]);
    cart.change(4, -1);
    expect(cart.lines.value).toEqual([]);
  });
});

describe('a customer', () => {
  beforeEach(() => logInAs('mei@example.com'));

  it('finds the cart of the server, all unchecked', async () => {
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    expect(amounts(cart)).toEqual([
      [2, 1],
      [1, 2],
    ]);
    expect(cart.checked.value).toEqual([]);
  });

  it('sends one request for many quick changes of a line, with the last amount', async () => {
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

  it('takes a failed change back, tells why under the line, and sends nothing more', async () => {
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

  it('takes back a goods that could not be added, and one that could not be removed', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.refuseNext({ code: 1, reason: 'goods_off_shelf', msg: '商品已下架' });
    cart.add(TEA, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[1, 2]]);
    expect(await toastTexts()).toContain('This item has been removed from the shelves');
    shop.refuseNext({ status: 500 });
    cart.remove(1);
    expect(cart.lines.value).toEqual([]);
    await vi.runAllTimersAsync();
    expect(amounts(cart)).toEqual([[1, 2]]);
  });

  it('shows what the server capped, with its reason', async () => {
    const scarce = makeGoods(5);
    shop.goods.push(scarce);
    shop.amounts.set(5, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    scarce.limitAmount = 2;
    cart.change(5, 4);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[5, 2]]);
    expect(cart.messages.value[5]).toBe('The quantity exceeds the maximum that can be purchased');
  });

  it('has every change on the server when flush has resolved', async () => {
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

  it('sends what is waiting when the page goes', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.add(RICE, 2);
    window.dispatchEvent(new Event('pagehide'));
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual(['POST 1:2']);
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

  it('tells why the cart could not be loaded, and loads it when asked again', async () => {
    shop.amounts.set(1, 2);
    shop.refuseNext({ status: 500 });
    const cart = await openPage();
    await vi.runAllTimersAsync();
    expect(cart.loadError.value).toBe('Server exception, please try again later');
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(cart.loadError.value).toBe('');
    expect(amounts(cart)).toEqual([[1, 2]]);
  });

  it("never shows a customer's cart that arrives after the logout", async () => {
    shop.amounts.set(1, 2);
    shop.delay = 100;
    const cart = await openPage();
    await vi.advanceTimersByTimeAsync(50);
    const { forget } = await import('./session');
    forget();
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

  it("pushes the guest's cart once; the pushed amount holds and all is unchecked", async () => {
    shop.amounts.set(1, 9).set(3, 1);
    const cart = await openPage();
    cart.add(RICE, 2);
    cart.add(TEA, 1);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    expect(Object.fromEntries(shop.amounts)).toEqual({ 1: 2, 2: 1, 3: 1 });
    expect(cart.checked.value).toEqual([]);
    expect(cart.lines.value).toHaveLength(3);
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(shop.writes).toEqual(['POST /pc/shoppingcartUpdate?type=DirectMailCart']);
  });

  it("fetches the customer's cart even while the guest's goods are still being asked for", async () => {
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

  it('names the goods that are gone', async () => {
    const cart = await openPage();
    cart.add(makeGoods(98), 1);
    cart.add(RICE, 1);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.advanceTimersByTimeAsync(1)]);
    expect(await toastTexts()).toContain('No longer for sale and taken out of your cart: Goods 98');
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

  it("leaves the guest's checks to one who is on the way to checkout", async () => {
    const cart = await openPage();
    cart.add(RICE, 1);
    cart.add(TEA, 1);
    cart.check(TEA.goodsId, false);
    cart.keepChecksAtLogin();
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.runAllTimersAsync()]);
    expect(cart.checked.value.map((line) => line.goodsId)).toEqual([RICE.goodsId]);
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
});

describe('another tab', () => {
  it('brings its changes, but neither its checks nor what is still being written here', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2).set(2, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.check(2, true);
    cart.change(1, 3);
    const kept = JSON.parse(localStorage.getItem('shop.cart') ?? '');
    for (const line of kept.lines) Object.assign(line, { goodsAmount: 7, checked: false });
    localStorage.setItem('shop.cart', JSON.stringify(kept));
    window.dispatchEvent(new StorageEvent('storage', { key: 'shop.cart' }));
    expect(amounts(cart)).toEqual([
      [2, 7],
      [1, 5],
    ]);
    expect(cart.checked.value.map((line) => line.goodsId)).toEqual([2]);
  });
});
