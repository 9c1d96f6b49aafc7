import { call, ShopError } from '../api/client';
import type { GoodsDetail } from '../api/types';
import { type CartGoods, canBuy, lineOf } from './cart-rules';
import type { Line } from './snapshot';

async function factsOf(line: Line, inCartons: boolean): Promise<Partial<Line>> {
  try {
    const goods: CartGoods = await call<GoodsDetail>('GET', `/pc/goods/${line.goodsId}`);
    const { goodsAmount: _amount, checked: _checked, ...facts } = lineOf(goods, 0, inCartons);
    return canBuy(facts) ? facts : { ...facts, checked: false };
  } catch (error) {
    // Refused by the shop: it is gone. Anything else says nothing about the goods.
    return error instanceof ShopError && error.status === 200 ? { available: false, checked: false } : {};
  }
}

/** Asks the shop for what may have changed of a guest's goods since they were put into the cart. */
export async function refreshed(lines: Line[], inCartons = false): Promise<Map<number, Partial<Line>>> {
  return new Map(
    await Promise.all(
      lines.map(async (line) => [line.goodsId, await factsOf(line, inCartons)] as [number, Partial<Line>]),
    ),
  );
}
