import { describe, expect, it } from 'vitest';
import { type ChosenLine, draftLines } from './order-draft';

describe('draftLines', () => {
  const rice = (goodsAmount: number, prices: [number, number][]): ChosenLine => ({
    goodsId: 1,
    goodsName: '米',
    goodsEnglishName: 'Rice',
    goodsImgUrl: null,
    goodsAmount,
    memberPrice: prices[0]?.[1] ?? 0,
    netWeight: 500,
    priceTiers: prices.map(([fromAmount, price]) => ({ fromAmount, price })),
  });
  const bulk: [number, number][] = [
    [1, 10],
    [12, 8],
  ];
  const offered: [number, number][] = [
    [1, 9],
    [12, 8],
  ];
  const priced = (lines: ChosenLine[], together?: ChosenLine[]) =>
    draftLines(lines, together).map((line) => [line.goodsAmount, line.memberPrice]);

  it('makes one line, at one price, of a product in two carts', () => {
    expect(priced([rice(6, bulk), rice(6, bulk)])).toEqual([[12, 8]]);
  });

  it('prices a product by all its units, in the promotion and out of it', () => {
    const [ordinary, promoted] = [rice(6, bulk), rice(6, offered)];
    const together = [ordinary, promoted];
    expect([priced([ordinary], together), priced([promoted], together)]).toEqual([[[6, 8]], [[6, 8]]]);
    const fewer = [ordinary, rice(5, offered)];
    expect([priced([ordinary], fewer), priced([rice(5, offered)], fewer)]).toEqual([[[6, 10]], [[5, 9]]]);
  });
});
