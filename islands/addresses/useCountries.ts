import { useEffect, useState } from 'react';
import { lang } from '../lang';
import { type Country, loadCountries } from './regions';

/** Gives the country list once it has come; until then, and if it does not come, an empty one. */
export function useCountries(): Country[] {
  const [countries, setCountries] = useState<Country[]>([]);
  useEffect(() => {
    loadCountries().then(setCountries, console.warn);
  }, []);
  return countries;
}

/** Sorts the countries that are not featured by what the page's language reads them by. */
export function otherCountries(countries: Country[]): Country[] {
  const others = countries.filter((country) => !country.featured);
  return lang() === 'zh' ? others.sort((a, b) => (a.pinyin < b.pinyin ? -1 : 1)) : others;
}

/** Gives a country's name in the page's language. */
export const countryName = (country: Country): string => (lang() === 'zh' ? country.name : country.en);
