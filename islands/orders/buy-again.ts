import { call } from '../api/client';
import type { Order, ProductBatch } from '../api/types';

/** As many products as one call answers about. */
const MAX_ASKED = 200;

/**
 * Puts the products of an order into the ordinary cart, at today's prices and not what was given for nothing. The cart
 * shows which are no longer on sale (docs/product.md#buying-again). Raises ShopError.
 */
export async function buyAgain(order: Pick<Order, 'goods'>): Promise<void> {
  const lines = new Map<number, Order['goods'][number]>();
  for (const line of order.goods.filter(({ isGift }) => !isGift)) {
    // What was bought in a promotion and out of it has two lines.
    const goodsAmount = line.goodsAmount + (lines.get(line.goodsId)?.goodsAmount ?? 0);
    lines.set(line.goodsId, { ...line, goodsAmount });
  }
  const goodsIds = [...lines.keys()].slice(0, MAX_ASKED);
  const { list } = await call<ProductBatch>('POST', '/pc/goods/batch', { goodsIds });
  const [cart, { addNotice }, { maxAmount }] = await Promise.all([
    import('../stores/cart'),
    import('../stores/cart-notices'),
    import('../stores/cart-rules'),
  ]);
  const found = list.filter((product) => maxAmount(product) >= Math.max(1, product.minAmount));
  cart.addAll(found.map((product) => ({ product, amount: lines.get(product.goodsId)?.goodsAmount ?? 1 })));
  const gone = [...lines.values()].filter(
    ({ goodsId }) => !found.some((product) => product.goodsId === goodsId),
  );
  if (gone.length) addNotice(gone);
}
