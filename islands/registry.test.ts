// @vitest-environment node

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { registry } from './registry';

it('registers exactly the islands that templates use', () => {
  const templates = readdirSync('templates', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => readFileSync(`templates/${file}`, 'utf8'));
  const used = templates.flatMap((text) =>
    [...text.matchAll(/{% island "([^"]+)"/g)].map(([, name]) => name),
  );
  expect([...new Set(used)].sort()).toEqual(Object.keys(registry).sort());
});
