// @vitest-environment node

import { expect, it } from 'vitest';
import { readAmount } from './amount';

it.each([
  ['50', 5000],
  ['49.9', 4990],
  ['0.29', 29],
  [' A$1,234.50 ', 123450],
  ['', null],
  ['1.005', null],
  ['-5', null],
  ['1e3', null],
  ['5.', null],
  ['99999999', null],
])('reads "%s" as %s cents', (text, cents) => {
  expect(readAmount(text)).toBe(cents);
});
