// @vitest-environment node

import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { labelOf, loadSuburbs, namedSuburb, searchSuburbs } from './suburbs';

const fetched = vi.fn(async (path: string) => new Response(readFileSync(path.slice(1), 'utf8')));
vi.stubGlobal('fetch', fetched);

describe('loadSuburbs', () => {
  it('has every pair once and keeps the leading zero of the Northern Territory', async () => {
    const parts = await Promise.all([...'02345679'].map(loadSuburbs));
    expect(new Set(parts.flat().map(labelOf))).toHaveProperty('size', 16477);
    expect(parts[0]).toContainEqual({ suburb: 'Alyangula', state: 'NT', postcode: '0885', council: '' });
  });

  it('names the council of a suburb of Perth and of no namesake elsewhere', async () => {
    const armadale = (await loadSuburbs('arma')).filter((place) => place.suburb === 'Armadale');
    expect(armadale.find((place) => place.state === 'WA')?.council).toBe('Armadale');
    expect(armadale.find((place) => place.state === 'VIC')?.council).toBe('');
  });

  it('asks for nothing where no name begins so', async () => {
    fetched.mockClear();
    expect(await Promise.all(['', ' ', '1', '8', '珀', '(', 'é', '../'].map(loadSuburbs))).toEqual(
      Array(8).fill([]),
    );
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('searchSuburbs', () => {
  const search = async (typed: string, limit?: number) =>
    searchSuburbs(await loadSuburbs(typed), typed, limit);
  const names = async (typed: string) =>
    (await search(typed)).map((place) => `${place.suburb} ${place.state} ${place.postcode}`);

  it('finds by the start of the name, shortest first', async () => {
    expect((await names('perth'))[0]).toMatch(/^Perth (WA|TAS) /);
  });

  it('finds by a word within the name after those that start with it', async () => {
    expect((await search('perth', 50)).map((place) => place.suburb)).toContain('East Perth');
  });

  it('finds by postcode and by name with state', async () => {
    expect(await names('6004')).toContain('East Perth WA 6004');
    expect((await names('Richmond, VIC'))[0]).toBe('Richmond VIC 3121');
  });

  it('finds nothing for one letter or for nonsense', async () => {
    expect(await names('p')).toEqual([]);
    expect(await names('zzzzz')).toEqual([]);
  });
});

describe('namedSuburb', () => {
  const named = async (typed: string) => namedSuburb(await loadSuburbs(typed), typed);

  it('finds by the whole name, alone where no other has it', async () => {
    expect((await named(' northbridge wa 6003 '))?.suburb).toBe('Northbridge');
    expect((await named('East Perth'))?.postcode).toBe('6004');
    expect(await named('Perth')).toBeUndefined();
  });

  it('finds the state of a post code, and no suburb', async () => {
    expect(await named('6003')).toEqual({ suburb: '', state: 'WA', postcode: '6003', council: '' });
    expect(await named('600')).toBeUndefined();
  });
});
