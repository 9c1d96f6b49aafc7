// @vitest-environment node

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { findMissingUseSignals } from './check-signals.mjs';

const folder = mkdtempSync('islands/tools/check-');
afterAll(() => rmSync(folder, { recursive: true }));

const SOURCE = `
import { computed, signal } from '@preact/signals-core';
import { useSignals } from '@preact/signals-react/runtime';
const count = signal(0);
const twice = computed(() => count.value * 2);

export function Forgetful() { return <p>{count.value}</p>; }
export const ForgetfulArrow = () => <p>{twice.value}</p>;
export function useForgetful() { const now = count.value; return now; }
export function Late() { const now = count.value; useSignals(); return <p>{now}</p>; }

export function Careful() { useSignals(); return <p>{count.value}</p>; }
export function Box() { return <input onChange={(event) => console.log(event.target.value)} />; }
export function Choice({ option }: { option: { value: string } }) { return <b>{option.value}</b>; }
export function increase() { count.value += 1; }
`;

it('finds components and hooks that read a signal without starting with useSignals()', () => {
  const file = `${folder}/Components.tsx`;
  writeFileSync(file, SOURCE);
  // Without the types of browsers and packages that the source does not use, it is compiled several times faster.
  const options = {
    jsx: 4,
    lib: ['lib.es2022.d.ts'],
    module: 99,
    moduleResolution: 100,
    skipLibCheck: true,
    target: 9,
    types: [],
  };
  expect(findMissingUseSignals([file], options).map((place: string) => place.split(' ')[1])).toEqual([
    'Forgetful',
    'ForgetfulArrow',
    'useForgetful',
    'Late',
  ]);
});
