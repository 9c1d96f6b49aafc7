// @vitest-environment node

import { expect, it } from 'vitest';
import { makeProduct } from '../testing/fake-shop';
// commerce/cart/tests/test_amount_changes.py holds the server to the same cases.
import cases from './amount-changes.json';
import { changeAmount, lineOf } from './cart-rules';

it.each(cases)('changes an amount as the server does: $name', (rule) => {
  const product = {
    ...makeProduct(1, { goodsStockAmount: rule.stock, limitAmount: rule.limit, minAmount: rule.minimum }),
    cartonSize: rule.carton ?? 1,
  };
  const line = lineOf(product, rule.before, rule.carton !== null);
  const { amount, reason = null } = changeAmount(line, rule.change);
  expect({ amount, reason }).toEqual({ amount: rule.amount, reason: rule.reason });
});

it('adds nothing of a product that has left the shelves, and lets it be removed', () => {
  const gone = { ...lineOf(makeProduct(1), 2), available: false };
  expect(changeAmount(gone, 1)).toEqual({ amount: 2, reason: 'stock_insufficient' });
  expect(changeAmount(gone, -2)).toEqual({ amount: 0 });
});
