/*
 * Notices about a customer's carts until they are dismissed: promotions that have ended, and products that
 * can no longer be bought (docs/product.md#carts). They wait in this browser for a page that shows them.
 */
import { signal } from '@preact/signals-core';
import type { Line, Promotion } from './snapshot';
import { isKey, read, remove, write } from './storage';

type Goods = Pick<Line, 'goodsId' | 'goodsName' | 'goodsEnglishName' | 'goodsAmount'>;

/** Products that left the carts, for the end of a promotion or, without one, because they cannot be bought. */
export interface CartNotice {
  id: string;
  promotion?: Pick<Promotion, 'goodsActionTypeName' | 'goodsActionTypeNameEn'>;
  goods: Goods[];
}

const KEY = 'cartNotices';

export const notices = signal<CartNotice[]>([]);

function restore(): void {
  const stored = read<CartNotice[]>(localStorage, KEY);
  notices.value = Array.isArray(stored) ? stored : [];
}

function set(next: CartNotice[]): void {
  notices.value = next;
  if (next.length) write(localStorage, KEY, next);
  else remove(localStorage, KEY);
}

/** Shows which products left the carts: with the end of a promotion, or because they can no longer be bought. */
export function addNotice(lines: readonly Goods[], promotion?: CartNotice['promotion']): void {
  const goods = lines.map(({ goodsId, goodsName, goodsEnglishName, goodsAmount }) => ({
    goodsId,
    goodsName,
    goodsEnglishName,
    goodsAmount,
  }));
  const id = [promotion?.goodsActionTypeNameEn, ...goods.map((line) => line.goodsId)].join();
  // Another tab may have notice it already.
  restore();
  set([...notices.value.filter((notice) => notice.id !== id), { id, promotion, goods }]);
}

/** Forgets what a customer has read. */
export function dismiss(id: string): void {
  set(notices.value.filter((notice) => notice.id !== id));
}

restore();
document.addEventListener('shop:session', restore);
window.addEventListener('storage', (event) => {
  if (event.key === null || isKey(event, KEY)) restore();
});
window.addEventListener('pageshow', (event) => event.persisted && restore());
