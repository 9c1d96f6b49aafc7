import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

const line = (goodsId: number, goodsAmount: number, isGift = false) =>
  ({ ...makeProduct(goodsId), goodsAmount, isGift }) as never;

beforeEach(freshBrowser);

it('puts what was bought into the cart, once for each product and without gifts', async () => {
  new FakeShop([makeProduct(1), makeProduct(2), makeProduct(3)]);
  await (await import('../i18n')).loadTexts();
  const { buyAgain } = await import('./buy-again');
  const bought = buyAgain({ goods: [line(1, 2), line(1, 1), line(2, 1), line(3, 1, true)] });
  await vi.advanceTimersByTimeAsync(0);
  await bought;
  const { lines } = await import('../stores/cart');
  const amounts = lines.value.map(({ goodsId, goodsAmount }) => [goodsId, goodsAmount]);
  expect(amounts.sort()).toEqual([
    [1, 3],
    [2, 1],
  ]);
});

it('shows by name what cannot be bought any more, for whatever reason', async () => {
  new FakeShop([
    makeProduct(1, { goodsStockAmount: 0 }),
    makeProduct(2, { goodsStockAmount: 3, minAmount: 6 }),
  ]);
  await (await import('../i18n')).loadTexts();
  const { buyAgain } = await import('./buy-again');
  const bought = buyAgain({ goods: [line(1, 2), line(2, 6), line(9, 1)] });
  await vi.advanceTimersByTimeAsync(0);
  await bought;
  const { lines } = await import('../stores/cart');
  const { notices } = await import('../stores/cart-notices');
  expect(lines.value).toEqual([]);
  expect(notices.value.flatMap(({ goods }) => goods.map(({ goodsId }) => goodsId))).toEqual([1, 2, 9]);
});
