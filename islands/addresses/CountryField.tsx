import { useState } from 'react';
import { Combobox } from '../form/Combobox';
import { t } from '../i18n';
import { DEFAULT_COUNTRY } from '../stores/known-place';
import { searchCountries } from './countries';
import type { Country } from './regions';
import { countryName } from './regions';
import { otherCountries, useCountries } from './useCountries';

interface Props {
  id: string;
  error?: string;
  /** English name of the country list. */
  value: string;
  onChange: (country: string) => void;
}

/** A field for a country, found by its names or its pinyin; those that are delivered to most first. */
export function CountryField({ id, error, value, onChange }: Props) {
  const countries = useCountries();
  /** What is being typed, null while nothing is. */
  const [typed, setTyped] = useState<string | null>(null);
  const chosen = countries.find((country) => country.en === value);
  const inOrder = () => [...countries.filter(({ featured }) => featured), ...otherCountries(countries)];
  const unknown = value === DEFAULT_COUNTRY ? t('address.australia') : value;

  return (
    <Combobox<Country>
      id={id}
      label={t('address.country')}
      error={error}
      full
      strict
      autoComplete="country-name"
      text={typed ?? (chosen ? countryName(chosen) : unknown)}
      listLabel={t('address.countries')}
      find={() =>
        searchCountries(inOrder(), typed ?? '').map((country) => ({
          value: country,
          label: countryName(country),
          group: t(country.featured ? 'address.featured' : 'address.allCountries'),
        }))
      }
      found={(count) => (typed?.trim() && countries.length ? t('address.countriesFound', { count }) : '')}
      onType={setTyped}
      onChoose={(country) => country.en !== value && onChange(country.en)}
      onLeave={() => setTyped(null)}
    />
  );
}
