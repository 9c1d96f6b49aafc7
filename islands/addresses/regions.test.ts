import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { loadSuburbs, loadTaiwan, namedSuburb, type Region, searchSuburbs } from './regions';

const read = (name: string) => JSON.parse(readFileSync(`static/regions/${name}.json`, 'utf8'));
vi.stubGlobal('fetch', async (path: string) => new Response(readFileSync(path.slice(1), 'utf8')));
const suburbs = await loadSuburbs();

describe('loadTaiwan', () => {
  it('leaves out only the three uninhabited island groups', async () => {
    const counties: Region[] = read('taiwan');
    const codes = (tree: Region[]) =>
      tree.flatMap((county) => (county.children ?? []).map((district) => district.value));
    const offered = codes(await loadTaiwan());
    const hidden = codes(counties).filter((code) => !offered.includes(code));
    expect(hidden.sort()).toEqual([290, 817, 819]);
  });
});

describe('loadSuburbs', () => {
  it('has every pair once and keeps the leading zero of the Northern Territory', () => {
    expect(suburbs).toHaveLength(16477);
    expect(suburbs).toContainEqual({ suburb: 'Alyangula', state: 'NT', postcode: '0885', council: '' });
  });

  it('names the council of a suburb of Perth and of no namesake elsewhere', () => {
    const armadale = suburbs.filter((place) => place.suburb === 'Armadale');
    expect(armadale.find((place) => place.state === 'WA')?.council).toBe('Armadale');
    expect(armadale.find((place) => place.state === 'VIC')?.council).toBe('');
  });
});

describe('searchSuburbs', () => {
  const names = (typed: string) =>
    searchSuburbs(suburbs, typed).map((place) => `${place.suburb} ${place.state} ${place.postcode}`);

  it('finds by the start of the name, shortest first', () => {
    expect(names('perth')[0]).toMatch(/^Perth (WA|TAS) /);
  });

  it('finds by a word within the name after those that start with it', () => {
    expect(searchSuburbs(suburbs, 'perth', 50).map((place) => place.suburb)).toContain('East Perth');
  });

  it('finds by postcode and by name with state', () => {
    expect(names('6004')).toContain('East Perth WA 6004');
    expect(names('Richmond, VIC')[0]).toBe('Richmond VIC 3121');
  });

  it('finds nothing for one letter or for nonsense', () => {
    expect(names('p')).toEqual([]);
    expect(names('zzzzz')).toEqual([]);
  });
});

describe('namedSuburb', () => {
  const named = (typed: string) => namedSuburb(suburbs, typed);

  it('finds by the whole name, alone where no other has it', () => {
    expect(named(' northbridge wa 6003 ')?.suburb).toBe('Northbridge');
    expect(named('East Perth')?.postcode).toBe('6004');
    expect(named('Perth')).toBeUndefined();
  });

  it('finds the state of a post code, and no suburb', () => {
    expect(named('6003')).toEqual({ suburb: '', state: 'WA', postcode: '6003', council: '' });
    expect(named('600')).toBeUndefined();
  });
});
