import { load } from './regions';

/** A suburb of the Australian list; `council` is known for Perth and Mandurah only. */
export interface Suburb {
  suburb: string;
  state: string;
  postcode: string;
  council: string;
}

type Part = Record<string, [suburb: string, postcode: string, council?: string][]>;

/** With what a word of a suburb's name or a post code begins. */
const BEGINNING = /^[02-79a-z]/;

/** Loads the suburbs that may be meant by a text: those with its first sign at the start of a word or the code. */
export async function loadSuburbs(typed: string): Promise<Suburb[]> {
  const [first] = typed.trim().toLowerCase().match(BEGINNING) ?? [];
  if (!first) return [];
  return Object.entries(await load<Part>(`suburbs-${first}`)).flatMap(([state, places]) =>
    places.map(([suburb, postcode, council = '']) => ({ suburb, state, postcode, council })),
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
