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

function tell(id: string, lines: readonly Goods[], promotion?: Promotion): void {
  const goods = lines.map(({ goodsId, goodsName, goodsEnglishName, goodsAmount }) => ({
    goodsId,
    goodsName,
    goodsEnglishName,
    goodsAmount,
  }));
  // Another tab may have told it already.
  restore();
  set([...news.value.filter((told) => told.id !== id), { id, promotion, goods }]);
}

/** Tells that a promotion has ended, with the lines that went with it. */
export function tellEnded(promotion: Promotion, lines: readonly Goods[]): void {
  const { goodsActionTypeId, goodsActionTypeName, goodsActionTypeNameEn, endTime, endTimeIso } = promotion;
  const facts = { goodsActionTypeId, goodsActionTypeName, goodsActionTypeNameEn, endTime, endTimeIso };
  tell(`promotion-${goodsActionTypeId}-${endTimeIso}`, lines, facts);
}

/** Tells which products left the carts because they can no longer be bought. */
export function tellGone(lines: readonly Goods[]): void {
  tell(`gone-${lines.map((line) => line.goodsId).join('-')}`, lines);
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
