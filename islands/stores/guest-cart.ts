import { call } from '../api/client';
import type { ProductBatch } from '../api/types';
import { type CartProduct, canBuy, lineOf } from './cart-rules';
import type { Line } from './snapshot';

/** The limit of one request (docs/wire.md#goodsbatch). */
const BATCH = 200;

function factsOf(product: CartProduct | undefined, inCartons: boolean): Partial<Line> {
  // The answer leaves out what is no longer on sale.
  if (!product) return { available: false, checked: false };
  const { goodsAmount: _amount, checked: _checked, ...facts } = lineOf(product, 0, inCartons);
  return canBuy(facts) ? facts : { ...facts, checked: false };
}

/**
 * Fetches the current facts of the products in a guest's cart, in as few requests as possible.
 * Products whose request failed are left out.
 */
export async function refreshed(
  lines: readonly Line[],
  inCartons = false,
): Promise<Map<number, Partial<Line>>> {
  const fresh = new Map<number, Partial<Line>>();
  for (let start = 0; start < lines.length; start += BATCH) {
    const goodsIds = lines.slice(start, start + BATCH).map((line) => line.goodsId);
    const batch = await call<ProductBatch>('POST', '/pc/goods/batch', { goodsIds }).catch(() => null);
    if (!batch) continue;
    const found = new Map(batch.list.map((product) => [product.goodsId, product]));
    for (const id of goodsIds) fresh.set(id, factsOf(found.get(id), inCartons));
  }
  return fresh;
}
