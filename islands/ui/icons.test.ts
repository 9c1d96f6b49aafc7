// @vitest-environment node

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ICONS } from './icons';

it('uses only symbols that the sprite has', () => {
  const sprite = readFileSync('static/img/icons.svg', 'utf8');
  const symbols = [...sprite.matchAll(/<symbol id="([^"]+)"/g)].map(([, id]) => id);
  expect(ICONS.filter((name) => !symbols.includes(name))).toEqual([]);
});
