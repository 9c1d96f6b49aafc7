import { folder } from '../../static/regions/current.json';
import { lang } from '../lang';

/** A row of the country list. */
export interface Country {
  short: string;
  name: string;
  en: string;
  tel: string;
  /** How the Chinese name sounds, in one word. */
  pinyin: string;
  /** The first letters of its syllables. */
  initials?: string;
  featured: boolean;
}

/** A node of a region tree; `labelEn` and `labelZh` where it has a name in that language besides its own. */
export interface Region {
  value: string | number;
  label: string;
  labelEn?: string;
  labelZh?: string;
  /** Of a suburb of Perth. */
  postcode?: string;
  children?: Region[];
}

const UNINHABITED_IN_TAIWAN: ReadonlySet<number | string> = new Set([290, 817, 819]);
const loading = new Map<string, Promise<unknown>>();

/** Fetches a file of the region data once per page; a failed fetch may be tried again. */
export function load<T>(file: string): Promise<T> {
  let pending = loading.get(file) as Promise<T> | undefined;
  if (!pending) {
    pending = fetch(`/static/regions/${folder}/${file}.json`).then((answer) => {
      if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
      return answer.json() as Promise<T>;
    });
    pending.catch(() => loading.delete(file));
    loading.set(file, pending);
  }
  return pending;
}

/** Gives a country's name in the page's language. */
export const countryName = (country: Country): string => (lang() === 'zh' ? country.name : country.en);

/** Loads the country list, featured ones first. */
export const loadCountries = (): Promise<Country[]> => load<Country[]>('countries');

/** Loads China's provinces with their cities and districts. */
export const loadChina = async (): Promise<Region[]> => (await load<{ data: Region[] }>('china')).data;

/** Loads Malaysia's states with their towns and post codes. */
export const loadMalaysia = (): Promise<Region[]> => load<Region[]>('malaysia');

/** Loads the councils of Perth, and Mandurah, with their suburbs. */
export const loadPerth = (): Promise<Region[]> => load<Region[]>('perth');

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
