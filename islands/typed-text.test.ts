// @vitest-environment node

import { expect, it } from 'vitest';
import { cleanText } from './typed-text';
import cases from './typed-texts.json';

it.each(cases)('cleans typed texts as the server does: $why', ({ typed, cleaned }) => {
  expect(cleanText(typed)).toBe(cleaned);
  expect(cleanText(cleaned)).toBe(cleaned);
});
