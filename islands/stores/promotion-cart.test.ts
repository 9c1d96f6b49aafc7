import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';
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

  it('makes a group invalid when its promotion ends, and removes it on request', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7, 1)), 1);
    cart.add(offered(2, promotion(8, 60)), 1);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(cart.groups.value.map((group) => group.valid)).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(1);
    expect(cart.groups.value.map((group) => group.valid)).toEqual([true, false]);
    expect(cart.chosen.value.map((group) => group.goodsActionTypeId)).toEqual([8]);
    cart.removeEnded();
    expect(cart.groups.value.map((group) => group.goodsActionTypeId)).toEqual([8]);
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

  it('removes ordered lines', async () => {
    const cart = await openPage();
    cart.add(offered(1, promotion(7)), 1);
    cart.add(offered(2, promotion(7)), 1);
    cart.removeOrdered(7, [1]);
    expect(cart.groups.value[0]?.shoppingCart.map((line) => line.goodsId)).toEqual([2]);
  });
});
