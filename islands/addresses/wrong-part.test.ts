// @vitest-environment node

import { readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { wrongPart } from './wrong-part';

interface Case {
  name: string;
  address: Record<'countryName' | 'provinceName' | 'cityName' | 'areaName' | 'zipCode', string>;
  wrong: string | null;
  canConfirm?: boolean;
}

const FIELDS: Record<string, string> = {
  provinceName: 'province',
  cityName: 'town',
  areaName: 'area',
  zipCode: 'postcode',
};

/** The cases that the server's tests read as well: commerce/accounts/tests/test_regions.py. */
const cases: Case[] = JSON.parse(readFileSync('commerce/accounts/tests/region_cases.json', 'utf8'));

vi.stubGlobal('fetch', async (path: string) => new Response(readFileSync(path.slice(1), 'utf8')));

it.each(cases)('names what cannot go together in $name', async ({ address, wrong, canConfirm }) => {
  const { countryName, provinceName, cityName, areaName, zipCode } = address;
  const place = { country: countryName, cityName: [provinceName, cityName, areaName], city: zipCode };
  expect(await wrongPart(place)).toBe(wrong && FIELDS[wrong]);
  expect(await wrongPart(place, true)).toBe(canConfirm ? null : wrong && FIELDS[wrong]);
});
