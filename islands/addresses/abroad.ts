import { type Place, placeLine } from '../stores/known-place';
import { countryName, loadCountries } from './regions';

/** Writes a place abroad in short, with its country in the page's language. */
export async function lineAbroad(place: Place): Promise<string> {
  const country = (await loadCountries()).find((row) => row.en === place.country);
  return placeLine(place, country ? countryName(country) : place.country);
}
