import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { amounts, HONEY, openPage, QUIET, RICE, TEA, toastTexts } from '../testing/cart';
import { FakeShop, makeProduct } from '../testing/fake-shop';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE, TEA, HONEY]);
});

/** Switches the network, with the browser's event. */
function switchNetwork(isOn: boolean): void {
  shop.isOffline = !isOn;
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOn);
  window.dispatchEvent(new Event(isOn ? 'online' : 'offline'));
}

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

  it('rolls a failed change back, shows why under the line, and sends nothing more', async () => {
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
    expect(cart.messages.value[5]).toBe('At most 2 for each customer');
  });

  it('takes back that a product was added, where the server has fewer', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.products[0] = { ...RICE, goodsStockAmount: 2 };
    cart.add(RICE, 8);
    expect(await toastTexts()).toEqual(['Added to the cart successfully: Product 1']);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    expect(amounts(cart)).toEqual([[1, 2]]);
    expect(await toastTexts()).toEqual([
      'Product 1: Only 2 available. Your cart has as many as you can buy.',
    ]);
    shop.products[0] = RICE;
  });

  it.each([
    ['before the server hears of it', 0, []],
    ['after', QUIET + 1, ['DELETE /pc/shoppingCart/2?type=DirectMailCart', 'POST 2:3']],
  ])('puts a removed product back with its amount, place and check: %s', async (_when, wait, writes) => {
    shop.amounts.set(3, 1).set(2, 3).set(1, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.check(2, true);
    const before = cart.lines.value;
    cart.remove(2);
    await vi.advanceTimersByTimeAsync(wait);
    const { toasts } = await import('../ui/toast');
    expect(toasts.value.map(({ text, action }) => [text, action?.label])).toEqual([
      ['Removed from the cart successfully: Product 2', 'Undo'],
    ]);
    toasts.value[0]?.action?.act();
    expect(cart.lines.value).toEqual(before);
    await vi.runAllTimersAsync();
    expect(cart.lines.value).toEqual(before);
    expect([shop.writes, [...shop.amounts.keys()]]).toEqual([writes, [3, 2, 1]]);
  });

  it('puts a removed product back at the price that it has by now, and only as far as it is there', async () => {
    shop.products.push(makeProduct(5), makeProduct(6));
    shop.amounts.set(5, 4).set(6, 1);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    const { toasts } = await import('../ui/toast');
    const undo = [5, 6].map((goodsId) => {
      cart.remove(goodsId);
      return toasts.value.at(-1)?.action;
    });
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    shop.products.splice(-2, 2, makeProduct(5, { memberPrice: 5.2, goodsStockAmount: 2 }));
    undo[0]?.act();
    shop.refuseNext(
      { code: 1, reason: 'goods_off_shelf', msg: '商品已下架' },
      ({ body }) => (body as { goodsId?: number } | undefined)?.goodsId === 6,
    );
    undo[1]?.act();
    await vi.advanceTimersByTimeAsync(2 * QUIET);
    expect(cart.lines.value.map((line) => [line.goodsId, line.goodsAmount, line.memberPrice])).toEqual([
      [5, 2, 5.2],
    ]);
    expect(await toastTexts()).toContain('This item has been removed from the shelves');
    expect([...shop.amounts]).toEqual([[5, 2]]);
  });

  it('puts nothing back into the cart of the next customer', async () => {
    shop.amounts.set(2, 3);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    cart.remove(2);
    const { toasts } = await import('../ui/toast');
    const undo = toasts.value[0]?.action;
    const { endSession } = await import('./session');
    endSession();
    undo?.act();
    expect(cart.lines.value).toEqual([]);
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

  it('shows why the cart could not be loaded, and can load it again', async () => {
    shop.amounts.set(1, 2);
    shop.refuseNext({ status: 500 });
    const cart = await openPage();
    await vi.runAllTimersAsync();
    expect(cart.loadError.value).toBe('Server exception, please try again later');
    await Promise.all([cart.load(), vi.runAllTimersAsync()]);
    expect(cart.loadError.value).toBe('');
    expect(amounts(cart)).toEqual([[1, 2]]);
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

  it('keeps a tap without a network, shows it, and sends it once there is one', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    switchNetwork(false);
    cart.change(1, 1);
    cart.add(TEA, 2);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    cart.change(1, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    const kept = 'You’re offline. Your change is saved and will be sent once you’re back online.';
    const wanted = [
      [2, 2],
      [1, 4],
    ];
    expect(amounts(cart)).toEqual(wanted);
    expect(cart.messages.value).toEqual({ 1: kept, 2: kept });
    expect(await toastTexts()).toContain(kept);
    expect([...shop.amounts]).toEqual([[1, 2]]);
    // The checkout does not wait for it for ever.
    const flushed = cart.flush();
    await vi.advanceTimersByTimeAsync(1);
    await flushed;
    expect([amounts(cart), cart.saving.value]).toEqual([wanted, true]);

    shop.requests.splice(0);
    switchNetwork(true);
    await vi.runAllTimersAsync();
    expect([...shop.amounts]).toEqual([
      [1, 4],
      [2, 2],
    ]);
    expect(shop.writes.sort()).toEqual(['PUT 1:4', 'PUT 2:2']);
    expect([cart.messages.value, cart.saving.value, amounts(cart)]).toEqual([{}, false, wanted]);
  });

  it('takes what was kept without a network to the next page, and leaves it to no other customer', async () => {
    const cart = await openPage();
    await vi.runAllTimersAsync();
    switchNetwork(false);
    cart.add(TEA, 2);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    window.dispatchEvent(new Event('pagehide'));
    const next = await openPage();
    expect(amounts(next)).toEqual([[2, 2]]);
    switchNetwork(true);
    await vi.runAllTimersAsync();
    expect([...shop.amounts]).toEqual([[2, 2]]);

    switchNetwork(false);
    next.change(2, 5);
    await vi.advanceTimersByTimeAsync(QUIET + 1);
    (await import('./session')).endSession();
    logInAs('lin@example.com');
    shop.requests.splice(0);
    switchNetwork(true);
    await vi.runAllTimersAsync();
    expect([shop.writes, amounts(next)]).toEqual([[], []]);
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

  it('shows the next visitor no failure of a change that was under way at the logout', async () => {
    shop.amounts.set(1, 2);
    const cart = await openPage();
    await vi.runAllTimersAsync();
    shop.delay = 300;
    shop.refuseNext({ code: 1, reason: 'goods_off_shelf', msg: '商品已下架' });
    cart.change(1, 1);
    await vi.advanceTimersByTimeAsync(QUIET + 100);
    const { endSession } = await import('./session');
    endSession();
    await vi.advanceTimersByTimeAsync(300);
    expect(shop.writes).toEqual(['PUT 1:3']);
    expect([cart.lines.value, cart.messages.value, await toastTexts()]).toEqual([[], {}, []]);
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
