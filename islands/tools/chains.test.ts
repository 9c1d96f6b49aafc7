// @vitest-environment node

import { expect, it } from 'vitest';
import { findRefusedChains } from './chains.mjs';

it('finds calls in an optional chain that spread an argument before the last one', () => {
  const refused = ['show?.(...texts, 1)', 'cart?.add(...old, ...fresh)', 'cart.find?.(1).add(...old, 2)'];
  const accepted = [
    'show?.(1, ...texts)',
    'cart?.lines.length',
    'show(...texts, 1)',
    'show?.([...texts, 1])',
  ];
  expect(findRefusedChains([...refused, ...accepted].join(';\n'))).toEqual(refused);
});
