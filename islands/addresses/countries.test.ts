// @vitest-environment node

import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { searchCountries } from './countries';
import { loadCountries } from './regions';

vi.stubGlobal('fetch', async (path: string) => new Response(readFileSync(path.slice(1), 'utf8')));
const countries = await loadCountries();
const found = (typed: string) => searchCountries(countries, typed).map(({ en }) => en);

it('finds a country by either name, in any letters, without accents and signs', () => {
  expect(found('germany')[0]).toBe('Germany');
  expect(found(' 德国 ')[0]).toBe('Germany');
  expect(found('new zea')).toEqual(['New Zealand']);
  expect(found('cote d ivoire')[0]).toBe('Côte d’Ivoire');
  expect(found('REUNION')[0]).toBe('Réunion');
  expect(found('zealand')).toContain('New Zealand');
});

it('finds by pinyin, by initials of either name and by the code', () => {
  expect(found('malaixi')[0]).toBe('Malaysia');
  expect(found('ao da li')[0]).toBe('Australia');
  expect(found('xxl')[0]).toBe('New Zealand');
  expect(found('UK')[0]).toBe('United Kingdom');
  expect(found('GB')).toContain('United Kingdom');
});

it('puts featured ones first, then those that go best with the text', () => {
  expect(found('ma').slice(0, 1)).toEqual(['Malaysia']);
  expect(found('au').slice(0, 2)).toEqual(['Australia', 'Austria']);
  expect(found('niger').slice(0, 2)).toEqual(['Niger', 'Nigeria']);
});

it('gives all for no text and none for nonsense', () => {
  expect(found(' ')).toHaveLength(245);
  expect(found('qqqq')).toEqual([]);
});
