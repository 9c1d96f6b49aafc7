import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';
import type { Promotion } from './snapshot';

const NOON = Date.parse('2026-11-30T12:00:00Z');

function promotion(id: number, minutes = 60): Promotion {
  return {
    goodsActionTypeId: id,
    goodsActionTypeName: `活动${id}`,
    goodsActionTypeNameEn: `Promotion ${id}`,
    endTime: '30/11/2026 20:00',
    endTimeIso: new Date(NOON + minutes * 60_000).toISOString(),
  };
}

const offered = (goodsId: number, action: Promotion, overrides = {}) => ({
  ...makeProduct(goodsId, { memberPrice: 2.5, ...overrides }),
  action,
});

async function openPage() {
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  return import('./promotion-cart');
}

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime(NOON);
  new FakeShop([]);
});

describe('the promotion cart', () => {
  it('groups products by promotion, newest first, and keeps them across pages', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 2);
    cart.add(offered(2, promotion(7)), 1);
    cart.add(offered(3, promotion(8)), 1);
    cart.add(offered(1, promotion(7)), 1);
    const shown = () =>
      cart.groups.value.map((group) => [
        group.goodsActionTypeId,
        group.valid,
        group.shoppingCart.map((line) => [line.goodsId, line.goodsAmount]),
      ]);
    const expected = [
      [8, true, [[3, 1]]],
      [
        7,
        true,
        [
          [2, 1],
          [1, 3],
        ],
      ],
    ];
    expect(shown()).toEqual(expected);
    expect(cart.count.value).toBe(5);
    vi.resetModules();
    const later = await openPage();
    expect(later.groups.value.map((group) => group.goodsActionTypeId)).toEqual([8, 7]);
  });

  it('removes an empty group', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 2);
    cart.change(7, 1, -2);
    expect(cart.groups.value).toEqual([]);
  });

  it('limits amounts to the units left and to the limit for each customer', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7), { goodsStockAmount: 3 }), 5);
    cart.add(offered(2, promotion(7), { limitAmount: 2 }), 1);
    cart.change(7, 2, 4);
    const amounts = cart.groups.value[0]?.shoppingCart.map((line) => [line.goodsId, line.goodsAmount]);
    expect(amounts).toEqual([
      [2, 2],
      [1, 3],
    ]);
    cart.add(offered(3, promotion(7), { goodsStockAmount: 0, isAdvance: '1' }), 1);
    expect(cart.count.value).toBe(5);
  });

  it('drops a group at the end of its promotion, from sums and storage, and shows once which products went', async () => {
    const cart = await openPage();
    const { notices, dismiss } = await import('./cart-notices');
    cart.add(offered(1, promotion(7, 1)), 2);
    cart.add(offered(2, promotion(8, 60)), 1);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(cart.groups.value.map((group) => group.valid)).toEqual([true, true]);
    expect(notices.value).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(cart.groups.value.map((group) => group.goodsActionTypeId)).toEqual([8]);
    expect([cart.count.value, cart.checkedCount.value]).toEqual([1, 1]);
    expect(localStorage.getItem('shop.promotionCart')).not.toContain('Promotion 7');
    expect(notices.value).toMatchObject([
      {
        promotion: { goodsActionTypeName: '活动7', goodsActionTypeNameEn: 'Promotion 7' },
        goods: [{ goodsId: 1, goodsEnglishName: 'Product 1', goodsAmount: 2 }],
      },
    ]);
    await vi.advanceTimersByTimeAsync(100);
    expect(document.querySelector('.announcer')?.textContent).toBe('Promotion 7 has ended.');
    dismiss(notices.value[0]?.id ?? '');
    vi.resetModules();
    await openPage();
    await vi.advanceTimersByTimeAsync(1);
    expect((await import('./cart-notices')).notices.value).toEqual([]);
  });

  it.each([
    ['drops at load what has ended by the scheduler of the server', 120, [], 1],
    ['keeps at load what has ended by the scheduler of the browser alone', -120, [7], 0],
  ])('%s', async (_what, ahead, left, notice) => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7, 60)), 1);
    vi.resetModules();
    if (ahead < 0) vi.setSystemTime(NOON + 100 * 60_000);
    const date = new Date(Date.now() + ahead * 60_000).toUTCString();
    vi.stubGlobal('fetch', async () => new Response('{}', { headers: { date } }));
    const later = await openPage();
    await vi.advanceTimersByTimeAsync(10);
    expect(later.groups.value.map((group) => group.goodsActionTypeId)).toEqual(left);
    expect((await import('./cart-notices')).notices.value).toHaveLength(notice);
  });

  it('is read from storage for a customer too, who keeps what a guest put in, until they log out', async () => {
    (await openPage()).add(offered(1, promotion(7)), 2);
    vi.resetModules();
    logInAs('mei@example.com');
    const cart = await openPage();
    expect(cart.count.value).toBe(2);
    (await import('./session')).endSession();
    expect([cart.count.value, localStorage.getItem('shop.promotionCart')]).toEqual([0, null]);
  });

  it('empties the promotion cart and removes it from storage', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 2);
    cart.clear();
    expect(cart.groups.value).toEqual([]);
    expect(localStorage.getItem('shop.promotionCart')).toBeNull();
  });

  it('blocks an advance product of which nothing is left, and shows it', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7), { goodsStockAmount: 0, isAdvance: '1' }), 1);
    expect(cart.groups.value).toEqual([]);
    const { toasts } = await import('../ui/toast');
    expect(toasts.value.map((toast) => toast.text)).toEqual([
      'The quantity available for purchase has reached its maximum',
    ]);
  });

  it('checks one line, all or none of one promotion', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 1);
    cart.add(offered(2, promotion(7)), 1);
    cart.add(offered(3, promotion(8)), 1);
    const checked = () => cart.chosen.value.map((group) => cart.checkedOf(group).map((line) => line.goodsId));
    cart.check(7, 1, false);
    expect(checked()).toEqual([[3], [2]]);
    cart.checkAll(7, false);
    expect(checked()).toEqual([[3]]);
    cart.checkAll(7, true);
    expect(checked()).toEqual([[3], [2, 1]]);
  });

  it('brings a group back on the next page where the browser could not store it', async () => {
    const cart = await openPage();
    const refuse = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    cart.add(offered(1, promotion(7)), 2);
    window.dispatchEvent(new Event('pagehide'));
    refuse.mockRestore();
    vi.resetModules();
    expect((await openPage()).count.value).toBe(2);
    expect(localStorage.getItem('shop.promotionCart')).toContain('Promotion 7');
  });

  it('adds nothing once the promotion has ended', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7, 0)), 1);
    expect(cart.groups.value).toEqual([]);
  });

  it('keeps the checks of one promotion when two are checked', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 1);
    cart.add(offered(2, promotion(8)), 1);
    const carts = await import('./carts');
    expect(carts.isMixed.value).toBe(true);
    cart.checkOnly(7);
    expect(cart.chosen.value.map((group) => group.goodsActionTypeId)).toEqual([7]);
    expect(carts.isMixed.value).toBe(false);
  });

  it('puts a removed product back to its place, with its group', async () => {
    const cart = await openPage();
    for (const id of [1, 2, 3]) cart.add(offered(id, promotion(7)), id);
    cart.add(offered(4, promotion(8)), 2);
    cart.check(7, 2, false);
    const before = cart.groups.value;
    const { toasts } = await import('../ui/toast');
    for (const [promotionId, goodsId] of [
      [7, 2],
      [8, 4],
    ] as const) {
      cart.change(promotionId, goodsId, -9);
      expect(cart.groups.value).not.toEqual(before);
      toasts.value.at(-1)?.action?.act();
      expect(cart.groups.value).toEqual(before);
    }
  });

  it('shows what it has too few of instead of a success', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7), { goodsStockAmount: 3 }), 5);
    const { toasts } = await import('../ui/toast');
    expect(toasts.value.map((toast) => toast.text)).toEqual([
      'Product 1: Only 3 available. Your cart has as many as you can buy.',
    ]);
  });

  it('removes ordered lines', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 1);
    cart.add(offered(2, promotion(7)), 1);
    cart.removeOrdered(7, [1]);
    expect(cart.groups.value[0]?.shoppingCart.map((line) => line.goodsId)).toEqual([2]);
  });
});
