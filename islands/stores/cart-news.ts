/*
 * What a customer is told about the carts until they dismiss it: promotions that have ended, and products that can no
 * longer be bought (docs/product.md#carts). It waits in this browser for a page that shows it.
 */
import { signal } from '@preact/signals-core';
import type { Line, Promotion } from './snapshot';
import { isKey, read, remove, write } from './storage';

type Goods = Pick<Line, 'goodsId' | 'goodsName' | 'goodsEnglishName' | 'goodsAmount'>;

/** Products that left the carts, for the end of a promotion or, without one, because they cannot be bought. */
export interface News {
  id: string;
  promotion?: Pick<Promotion, 'goodsActionTypeName' | 'goodsActionTypeNameEn'>;
  goods: Goods[];
}

const KEY = 'cartNews';

export const news = signal<News[]>([]);

function restore(): void {
  const stored = read<News[]>(localStorage, KEY);
  news.value = Array.isArray(stored) ? stored : [];
}

function set(next: News[]): void {
  news.value = next;
  if (next.length) write(localStorage, KEY, next);
  else remove(localStorage, KEY);
}

/** Tells which products left the carts: with the end of a promotion, or because they can no longer be bought. */
export function tell(lines: readonly Goods[], promotion?: News['promotion']): void {
  const goods = lines.map(({ goodsId, goodsName, goodsEnglishName, goodsAmount }) => ({
    goodsId,
    goodsName,
    goodsEnglishName,
    goodsAmount,
  }));
  const id = [promotion?.goodsActionTypeNameEn, ...goods.map((line) => line.goodsId)].join();
  // Another tab may have told it already.
  restore();
  set([...news.value.filter((told) => told.id !== id), { id, promotion, goods }]);
}

/** Forgets what a customer has read. */
export function dismiss(id: string): void {
  set(news.value.filter((told) => told.id !== id));
}

restore();
document.addEventListener('shop:session', restore);
window.addEventListener('storage', (event) => {
  if (event.key === null || isKey(event, KEY)) restore();
});
window.addEventListener('pageshow', (event) => event.persisted && restore());
