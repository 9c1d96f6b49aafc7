// @vitest-environment node

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { load, loadMalaysia, loadTaiwan, type Region } from './regions';

vi.stubGlobal('fetch', async (path: string) => new Response(readFileSync(path.slice(1), 'utf8')));

describe('loadTaiwan', () => {
  it('leaves out only the three uninhabited island groups', async () => {
    const counties = await load<Region[]>('taiwan');
    const codes = (tree: Region[]) =>
      tree.flatMap((county) => (county.children ?? []).map((district) => district.value));
    const offered = codes(await loadTaiwan());
    const hidden = codes(counties).filter((code) => !offered.includes(code));
    expect(hidden.sort()).toEqual([290, 817, 819]);
  });
});

describe('loadMalaysia', () => {
  it('has a Chinese name for each state', async () => {
    const states = await loadMalaysia();
    expect(states).toHaveLength(16);
    expect(states.map(({ labelZh }) => labelZh).filter(Boolean)).toHaveLength(16);
    expect(states.find(({ label }) => label === 'Johor')?.labelZh).toBe('柔佛');
  });
});
