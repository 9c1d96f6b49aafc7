import type { Country } from './regions';

/** Writes a text in small letters, without accents and signs. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();

/** What the names of each country are compared by. */
const plainNames = new WeakMap<Country, readonly [zh: string, english: string, firsts: string]>();

function plainNamesOf(country: Country) {
  let names = plainNames.get(country);
  if (!names) {
    const english = plain(country.en);
    names = [plain(country.name), english, english.replace(/(\S)\S*\s*/g, '$1')];
    plainNames.set(country, names);
  }
  return names;
}

/** Shows how well a country goes with a text: 0 best, 3 not at all. */
function rank(country: Country, words: string, letters: string): number {
  const { short, pinyin, initials = '' } = country;
  const [zh, english, firsts] = plainNamesOf(country);
  if ([zh, english, pinyin].includes(words) || [initials, firsts, short.toLowerCase()].includes(letters))
    return 0;
  if (zh.startsWith(words) || english.startsWith(words) || pinyin.startsWith(letters)) return 1;
  return zh.includes(words) || english.includes(` ${words}`) || initials.startsWith(letters) ? 2 : 3;
}

/**
 * Finds countries by the start of either name or of a word in it, by pinyin, by initials, or by the code.
 *
 * `countries` are those of the list, featured ones first, and stay so; better ones come before others.
 */
export function searchCountries(countries: Country[], typed: string): Country[] {
  const words = plain(typed);
  // An empty text is part of every other.
  if (!words) return countries;
  const letters = words.replaceAll(' ', '');
  return countries
    .map((country) => ({ country, worse: rank(country, words, letters) }))
    .filter(({ worse }) => worse < 3)
    .sort((a, b) => Number(b.country.featured) - Number(a.country.featured) || a.worse - b.worse)
    .map(({ country }) => country);
}
