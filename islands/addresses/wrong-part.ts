/* Which part of an address cannot go with the others; the server has the same rules (docs/wire.md#addresses). */
import type { Place } from '../stores/known-place';
import { load, loadChina, loadMalaysia, loadPerth, loadTaiwan, type Region } from './regions';
import { loadSuburbs } from './suburbs';

type Part = 'province' | 'town' | 'area' | 'postcode';

const FORMATS: Readonly<Record<string, RegExp>> = {
  Australia: /^\d{4}$/,
  China: /^\d{6}$/,
  Malaysia: /^\d{5}$/,
  Taiwan: /^\d{3}(?:\d{2,3})?$/,
};
const COUNCILS_STATE = 'WA';
/** The council of Perth whose name is also that of the city. */
const CITY_OF_PERTH = 'perth';
/** What lists of China have in the place of a municipality's city. */
const NO_CITY: ReadonlySet<string> = new Set(['市辖区', '县']);

/**
 * Finds the first part of an address that cannot go with those before it, by the region data.
 *
 * What is empty is not missed. What the customer can confirm is left out if `isConfirmed`. Rejects when the data
 * cannot be loaded.
 */
export async function wrongPart(
  { country, cityName, city }: Place,
  isConfirmed = false,
): Promise<Part | null> {
  const [province = '', town = '', area = ''] = cityName.map((part) => part.trim());
  const format = FORMATS[country];
  if (!format) return null;
  const postcode = city.trim();
  const wrong = await RULES[country]?.(isConfirmed, province, town, area, postcode);
  return wrong ?? (postcode && !format.test(postcode) ? 'postcode' : null);
}

/** Shows whether an Australian suburb is not in the data of its state: it may be new, or a slip of the keyboard. */
export async function isUnknownSuburb({ country, cityName }: Place): Promise<boolean> {
  const [state = '', , area = ''] = cityName.map((part) => part.trim().toLowerCase());
  if (country !== 'Australia' || !area) return false;
  const suburbs = await loadSuburbs(area);
  if (suburbs.some((each) => each.suburb.toLowerCase() === area && each.state.toLowerCase() === state))
    return false;
  // The list of councils has a few suburbs that the list of suburbs lacks.
  const councils = state === COUNCILS_STATE.toLowerCase() ? await loadPerth() : [];
  return !councils.some(({ children = [] }) => children.some((each) => isCalled(each, area)));
}

type Rule = (
  isConfirmed: boolean,
  province: string,
  town: string,
  area: string,
  postcode: string,
) => Promise<Part | null>;

const RULES: Readonly<Record<string, Rule>> = {
  Australia: inAustralia,
  China: inChina,
  Malaysia: async (isConfirmed, province, town, _area, postcode) =>
    byPostcode(await loadMalaysia(), isConfirmed, province, town, postcode),
  // Three digits are the district, the rest is the street.
  Taiwan: async (isConfirmed, province, town, _area, postcode) =>
    byPostcode(await loadTaiwan(), isConfirmed, province, town, postcode.slice(0, 3)),
};

async function inAustralia(
  isConfirmed: boolean,
  province: string,
  town: string,
  area: string,
  postcode: string,
) {
  const setAside = await load<Record<string, string[]>>('post-codes');
  const state = province.toUpperCase();
  if (state && !(state in setAside)) return 'province';
  if (state === COUNCILS_STATE && !isCouncilOf(await loadPerth(), town, area)) return 'town';
  const states = state ? [state] : Object.keys(setAside);
  const isThere = (ranges: string[] = []) =>
    ranges.some((range) => {
      const [first = '', last = first] = range.split('-');
      return first <= postcode && postcode <= last;
    });
  if (!postcode) return null;
  if (!states.some((each) => isThere(setAside[each]))) return 'postcode';
  if (isConfirmed) return null;
  const suburb = area.toLowerCase();
  const own = (await loadSuburbs(area)).filter(
    (place) => states.includes(place.state) && place.suburb.toLowerCase() === suburb,
  );
  if (!own.length || own.some((place) => place.postcode === postcode)) return null;
  // A post code without suburbs may be that of post boxes.
  const others = await loadSuburbs(postcode);
  return others.some((place) => states.includes(place.state) && place.postcode === postcode)
    ? 'postcode'
    : null;
}

/** Shows whether a suburb may be in a council of Perth, if it is one; a suburb that none has may be new. */
function isCouncilOf(councils: Region[], name: string, suburb: string): boolean {
  const has = ({ children = [] }: Region) => children.some((each) => isCalled(each, suburb));
  const council = councils.find((each) => isCalled(each, name));
  return !council || isCalled(council, CITY_OF_PERTH) || has(council) || !councils.some(has);
}

async function inChina(isConfirmed: boolean, province: string, town: string, area: string) {
  const tree = await loadChina();
  const provinces = tree.filter((each) => !province || each.label === province);
  if (!provinces.length) return 'province';
  const districts = provinces.flatMap(({ children: cities = [] }) =>
    cities
      // A municipality is its own city, which some leave out.
      .filter((city) => !town || city.label === town || (cities.length === 1 && NO_CITY.has(town)))
      .map(({ children = [] }) => children),
  );
  if (!districts.length) {
    const municipalities = provinces.flatMap(({ children = [] }) => (children.length === 1 ? children : []));
    return municipalities.some(({ children }) => children?.some(({ label }) => label === town))
      ? null
      : 'town';
  }
  if (!area || isConfirmed || districts.flat().some(({ label }) => label === area)) return null;
  // A district that nowhere is in the data may be new.
  const isElsewhere = tree.some(({ children }) =>
    children?.some((city) => city.children?.some(({ label }) => label === area)),
  );
  return isElsewhere ? 'area' : null;
}

function byPostcode(
  tree: Region[],
  isConfirmed: boolean,
  province: string,
  town: string,
  postcode: string,
): Part | null {
  const provinces = tree.filter((each) => !province || isCalled(each, province));
  if (!provinces.length) return 'province';
  const towns = provinces
    .flatMap(({ children = [] }) => children)
    .filter((each) => !town || isCalled(each, town));
  if (!towns.length) return 'town';
  if (!postcode || towns.some((each) => hasCode(each, postcode))) return null;
  // Freight depends on the state, which cannot be confirmed.
  const others = tree.filter((each) => !provinces.includes(each)).flatMap(({ children = [] }) => children);
  return isConfirmed && !others.some((each) => hasCode(each, postcode)) ? null : 'postcode';
}

const hasCode = ({ value, children }: Region, code: string) =>
  children ? children.some(({ label }) => label === code) : String(value) === code;
const asListed = (name: string) => name.toLowerCase().replaceAll('台', '臺');
const isCalled = ({ label }: Region, name: string) => asListed(label) === asListed(name);
