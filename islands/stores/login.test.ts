import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { amounts, type Cart, HONEY, openPage, QUIET, RICE, TEA, toastTexts } from '../testing/cart';
import { FakeShop, makeProduct } from '../testing/fake-shop';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE, TEA, HONEY]);
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

  it('keeps what the guest of this tab checked, where another tab has logged in', async () => {
    const cart = await openPage();
    cart.add(RICE, 2);
    cart.add(TEA, 1);
    cart.check(TEA.goodsId, false);
    const { lineOf } = await import('./cart-rules');
    const lines = [TEA, RICE, HONEY].map((product) => ({ ...lineOf(product, 1), checked: false }));
    logInAs(session.account);
    localStorage.setItem('shop.cart', JSON.stringify({ owner: session.account, lines }));
    const next = await openPage();
    expect(next.checked.value.map((line) => line.goodsId)).toEqual([RICE.goodsId]);
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
    expect(await toastTexts()).toContain('No longer available and removed from your cart: Product 98');
    // The page may be left immediately.
    await openPage();
    const { notices } = await import('./cart-notices');
    expect(notices.value.map(({ goods }) => goods.map((line) => line.goodsEnglishName))).toEqual([
      ['Product 98'],
    ]);
    expect(amounts(cart)).toEqual([[1, 1]]);
  });

  it('shows that an amount was more than can be bought', async () => {
    const cart = await openPage();
    cart.add(RICE, 8);
    shop = new FakeShop([{ ...RICE, goodsStockAmount: 3 }]);
    const { enter } = await import('./login');
    await Promise.all([enter(session), vi.advanceTimersByTimeAsync(1)]);
    expect(amounts(cart)).toEqual([[1, 3]]);
    expect(await toastTexts()).toContain(
      'Product 1: Only 3 available. Your cart has as many as you can buy.',
    );
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
