/** A row of the country list. */
export interface Country {
  short: string;
  name: string;
  en: string;
  tel: string;
  pinyin: string;
  featured: boolean;
}

/** A node of a region tree; `labelEn` where the source has an English name. */
export interface Region {
  value: string | number;
  label: string;
  labelEn?: string;
  children?: Region[];
}

/** A suburb of the Australian list; `council` is known for Perth and Mandurah only. */
export interface Suburb {
  suburb: string;
  state: string;
  postcode: string;
  council: string;
}

type AustralianStates = Record<string, [suburb: string, postcode: string][]>;
type PerthCouncil = { label: string; children: { label: string; postcode: string }[] };

const UNINHABITED_IN_TAIWAN: ReadonlySet<number | string> = new Set([290, 817, 819]);
const loading = new Map<string, Promise<unknown>>();

/** Fetches a reference file once per page; a failed fetch may be tried again. */
function load<T>(file: string): Promise<T> {
  let pending = loading.get(file) as Promise<T> | undefined;
  if (!pending) {
    pending = fetch(`/static/regions/${file}.json`).then((answer) => {
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      return answer.json() as Promise<T>;
    });
    pending.catch(() => loading.delete(file));
    loading.set(file, pending);
  }
  return pending;
}

/** Loads the country list, featured ones first. */
export const loadCountries = (): Promise<Country[]> => load<Country[]>('countries');

/** Loads China's provinces with their cities and districts. */
export const loadChina = async (): Promise<Region[]> => (await load<{ data: Region[] }>('china')).data;

/** Loads Malaysia's states with their towns and post codes. */
export const loadMalaysia = (): Promise<Region[]> => load<Region[]>('malaysia');

/** Loads Taiwan's counties with their inhabited districts. */
export async function loadTaiwan(): Promise<Region[]> {
  return inhabited(await load<Region[]>('taiwan'));
}

/** Removes Taiwan's uninhabited island groups, where nothing can be delivered. */
function inhabited(counties: Region[]): Region[] {
  return counties
    .map((county) => ({
      ...county,
      children: county.children?.filter((district) => !UNINHABITED_IN_TAIWAN.has(district.value)),
    }))
    .filter((county) => county.children?.length);
}

/** Loads every Australian suburb with its post code, and its council where known. */
export async function loadSuburbs(): Promise<Suburb[]> {
  const [states, perth] = await Promise.all([
    load<AustralianStates>('australia'),
    load<PerthCouncil[]>('perth'),
  ]);
  return suburbList(states, perth);
}

/** Flattens the Australian tree and adds the council of Perth's suburbs. */
function suburbList(states: AustralianStates, perth: PerthCouncil[]): Suburb[] {
  const councils = new Map<string, string>();
  for (const { label, children } of perth) {
    for (const { label: suburb, postcode } of children) {
      const key = `${suburb} ${postcode}`;
      if (!councils.has(key)) councils.set(key, label);
    }
  }
  return Object.entries(states).flatMap(([state, places]) =>
    places.map(([suburb, postcode]) => ({
      suburb,
      state,
      postcode,
      council: state === 'WA' ? (councils.get(`${suburb} ${postcode}`) ?? '') : '',
    })),
  );
}

/** Writes a suburb with its state and its post code. */
export const labelOf = (place: Suburb): string => `${place.suburb} ${place.state} ${place.postcode}`;

/** Finds the suburb that a text names and no other has; of a post code alone the first, without its own name. */
export function namedSuburb(suburbs: Suburb[], typed: string): Suburb | undefined {
  const text = typed.trim().toLowerCase();
  const named = suburbs.filter((place) =>
    [labelOf(place), place.suburb].some((name) => name.toLowerCase() === text),
  );
  if (named.length === 1) return named[0];
  const coded = suburbs.find((place) => place.postcode === text);
  return coded && { ...coded, suburb: '', council: '' };
}

/**
 * Finds suburbs by the start of their name, of a word in it, or of their post code.
 *
 * Names that start with the words come before names that contain them; gives at most `limit`.
 */
export function searchSuburbs(suburbs: Suburb[], typed: string, limit = 8): Suburb[] {
  const words = typed
    .trim()
    .toLowerCase()
    .replace(/[\s,]+/g, ' ');
  if (words.length < 2) return [];
  const starting: Suburb[] = [];
  const containing: Suburb[] = [];
  for (const place of suburbs) {
    const name = place.suburb.toLowerCase();
    const whole = `${name} ${place.state.toLowerCase()} ${place.postcode}`;
    if (whole.startsWith(words) || place.postcode.startsWith(words)) starting.push(place);
    else if (name.includes(` ${words}`)) containing.push(place);
  }
  starting.sort((a, b) => a.suburb.length - b.suburb.length);
  return [...starting, ...containing].slice(0, limit);
}
