// @vitest-environment node

import { expect, it } from 'vitest';
import type { Order } from '../api/types';
import { boughtIn } from './bought';

const line = (goodsId: number, isGift = false) => ({ goodsId, isGift });
const order = (statusLabel: string, day: number, ...goods: object[]) =>
  ({ statusLabel, createTime: `2026-11-0${day}T00:00:00Z`, goods }) as unknown as Order;

it('lists what was bought most often first, then the newest, without gifts and unpaid orders', () => {
  const found = boughtIn([
    order('Completed', 5, line(1), line(2), line(9, true)),
    order('Paid', 4, line(3), line(2), line(2)),
    order('Canceled', 3, line(4)),
    order('Unpaid', 2, line(5)),
  ]);
  expect(found.map(({ line: { goodsId }, times, last }) => [goodsId, times, last.slice(0, 10)])).toEqual([
    [2, 2, '2026-11-05'],
    [1, 1, '2026-11-05'],
    [3, 1, '2026-11-04'],
  ]);
});
