/* The last place that freight was asked for, as every page reads it: without signals, and in short. */
import { lang } from '../lang';
import { customer, EXPIRES_AFTER_MINUTES, read, readShared } from './storage';

export const PLACE_KEY = 'place';
export const DEFAULT_COUNTRY = 'Australia';

/** Where something is sent, without a name or a street. */
export interface Place {
  /** English name of the country list. */
  country: string;
  /** Post code; empty where the country has none. */
  city: string;
  /** Area parts, largest first: province or state; city, town or council; district or suburb. */
  cityName: readonly string[];
}

/** The place of a customer's address. */
export interface CustomersPlace {
  owner: string;
  place: Place;
}

/** A place that was typed; `isGuests`: by a visitor who was not logged in, missing in one of an earlier release. */
export interface TypedPlace extends Place {
  isGuests?: boolean;
}

/** Gives the last place: of an address of the customer, else one that was typed; null without either. */
export function knownPlace(account = customer()): Place | null {
  const theirs = read<CustomersPlace>(localStorage, PLACE_KEY, EXPIRES_AFTER_MINUTES);
  const typed = readShared<Place>(localStorage, PLACE_KEY, EXPIRES_AFTER_MINUTES);
  const stored = theirs?.owner === account ? theirs.place : typed;
  if (!stored || !Array.isArray(stored.cityName)) return null;
  const { country, cityName, city } = stored;
  return { country, cityName, city };
}

/** Shows whether the last place is one that a visitor typed before they logged in. */
export function isGuestsPlace(account: string): boolean {
  const theirs = read<CustomersPlace>(localStorage, PLACE_KEY);
  return theirs?.owner !== account && readShared<TypedPlace>(localStorage, PLACE_KEY)?.isGuests === true;
}

/** Writes a place in short: at home the smallest area, its state and its post code; abroad all areas and the country. */
export function placeLine(place: Place, countryName: string): string {
  const [province = '', town = '', area = ''] = place.cityName;
  const written = (parts: string[], comma: string) => parts.filter(Boolean).join(comma);
  if (place.country === DEFAULT_COUNTRY) return written([area || town, province, place.city], ' ');
  const areas = town === province ? [province, area] : [province, town, area];
  if (!written(areas, '')) return written([countryName, place.city], ' ');
  // Chinese names the largest area first.
  return lang() === 'zh'
    ? written([countryName, ...areas], ' ')
    : written([...areas.reverse(), countryName], ', ');
}
