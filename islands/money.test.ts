// @vitest-environment node

import { expect, it } from 'vitest';
import { formatAud, formatCny, toCents } from './money';

it('converts amounts of the wire to exact cents', () => {
  expect([0.1, 0.29, 1.15, 19.99, 1234.5].map(toCents)).toEqual([10, 29, 115, 1999, 123_450]);
});

it('formats dollars and the guide in yuan', () => {
  expect(formatAud(123_450)).toBe('A$1,234.50');
  expect(formatAud(-5)).toBe('−A$0.05');
  expect(formatAud(123_456_789_000)).toBe('A$1,234,567,890.00');
  expect(formatAud(99_999)).toBe('A$999.99');
  expect(formatCny(390, 4.777_777)).toBe('≈ ¥18.63');
});
