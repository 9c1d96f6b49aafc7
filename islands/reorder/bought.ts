/* What a customer has bought before, from their newest orders. */
import type { Order } from '../api/types';

type OrderLine = Order['goods'][number];

/** A product with how many orders had it, and when the newest of them was made. */
export interface Bought {
  line: OrderLine;
  times: number;
  last: string;
}

const NEVER_PAID = new Set(['Unpaid', 'Pay In Store', 'Pay By Transfer Waiting For Review', 'Canceled']);

/** Lists the products of paid orders, what was bought most often first; of those bought alike the newest first. */
export function boughtIn(orders: readonly Order[]): Bought[] {
  const found = new Map<number, Bought>();
  for (const order of orders) {
    if (NEVER_PAID.has(order.statusLabel)) continue;
    const lines = new Map(order.goods.filter((line) => !line.isGift).map((line) => [line.goodsId, line]));
    for (const line of lines.values()) {
      const { times = 0, last = order.createTime } = found.get(line.goodsId) ?? {};
      found.set(line.goodsId, {
        line,
        times: times + 1,
        last: last > order.createTime ? last : order.createTime,
      });
    }
  }
  return [...found.values()].sort((a, b) => b.times - a.times || (a.last < b.last ? 1 : -1));
}
