import { call } from '../api/client';
import type { CartList, FavouritePage } from '../api/types';
import * as cart from '../stores/cart';
import { maxAmount } from '../stores/cart-rules';

type Goods = FavouritePage['list'][number];

/** As many products as one call answers. */
const SIZE = 100;

/** Shows whether a product of a list can be bought now. */
export function canBuy(product: Goods): boolean {
  return product.isOnSale && maxAmount(product) >= product.minAmount;
}

async function everything(listId: number): Promise<Goods[]> {
  const found: Goods[] = [];
  for (let page = 1, total = 1; found.length < total; page++) {
    const answer = await call<FavouritePage>(
      'GET',
      `/pc/favourites/${listId}/goods?size=${SIZE}&page=${page}`,
    );
    if (answer.list.length === 0) break;
    found.push(...answer.list);
    total = answer.total;
  }
  return found;
}

/**
 * Puts the least amount of each product of a list that can be bought into the cart, by one call; what is there already
 * stays as it is. Gives how many products were added, and how many had no place. Raises ShopError.
 */
export async function addAll(listId: number): Promise<{ added: number; left: number }> {
  const goods = await everything(listId);
  await cart.load();
  await cart.flush();
  const there = new Set(cart.lines.value.map((line) => line.goodsId));
  const wanted = goods.filter((product) => canBuy(product) && !there.has(product.goodsId));
  if (wanted.length === 0) return { added: 0, left: 0 };
  const lines = wanted.map(({ goodsId, minAmount }) => ({ goodsId, goodsAmount: minAmount }));
  const { removed = [] } = await call<CartList>('POST', '/pc/shoppingcartUpdate', lines);
  await cart.load();
  return { added: wanted.length - removed.length, left: removed.length };
}
