import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { amounts, type Cart, HONEY, openPage, QUIET, RICE, TEA } from '../testing/cart';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE, TEA, HONEY]);
});

beforeEach(() => logInAs('mei@example.com'));

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

  it('keeps it over one more page that is left immediately', async () => {
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
