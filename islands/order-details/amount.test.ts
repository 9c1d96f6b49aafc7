// @vitest-environment node

import { expect, it } from 'vitest';
import { formatAmount } from './amount';

it('names a currency that is not the shop’s own', () => {
  expect(formatAmount(-950, 'AUD')).toBe('−A$9.50');
  expect(formatAmount(-123_450, 'CNY')).toBe('−CNY 1,234.50');
});
