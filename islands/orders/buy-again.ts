import { call } from '../api/client';
import type { Order, ProductBatch } from '../api/types';

/**
 * Puts the products of an order into the ordinary cart, at today's prices and not what was given for nothing. The cart
 * tells which are no longer on sale (docs/product.md#buying-again). Raises ShopError.
 */
export async function buyAgain(order: Pick<Order, 'goods'>): Promise<void> {
  const bought = new Map<number, number>();
  const lines = order.goods.filter((line) => !line.isGift);
  for (const { goodsId, goodsAmount } of lines) {
    bought.set(goodsId, (bought.get(goodsId) ?? 0) + goodsAmount);
  }
  const { list } = await call<ProductBatch>('POST', '/pc/goods/batch', { goodsIds: [...bought.keys()] });
  const [cart, { tell }] = await Promise.all([import('../stores/cart'), import('../stores/cart-news')]);
  const found = list.filter((product) => product.goodsStockAmount > 0);
  cart.addAll(found.map((product) => ({ product, amount: bought.get(product.goodsId) ?? 1 })));
  const gone = lines.filter((line) => !found.some((product) => product.goodsId === line.goodsId));
  if (gone.length) tell(gone);
}
