import { useEffect, useState } from 'react';
import { lang } from '../lang';
import { type Country, loadCountries } from './regions';

/** Gives the country list; empty until it is loaded. */
export function useCountries(): Country[] {
  const [countries, setCountries] = useState<Country[]>([]);
  useEffect(() => {
    loadCountries().then(setCountries, console.warn);
  }, []);
  return countries;
}

/** Gives the countries that are not featured, sorted for the page's language. */
export function otherCountries(countries: Country[]): Country[] {
  const others = countries.filter((country) => !country.featured);
  return lang() === 'zh' ? others.sort((a, b) => (a.pinyin < b.pinyin ? -1 : 1)) : others;
}
