import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import { DEFAULT_COUNTRY } from '../stores/address';
import { countryName, otherCountries, useCountries } from './useCountries';

interface Props {
  id: string;
  error?: string;
  /** English name of the country list. */
  value: string;
  onChange: (country: string) => void;
}

/** A field for a country, those that are delivered to most first. */
export function CountryField({ id, error, value, onChange }: Props) {
  const countries = useCountries();
  return (
    <SelectField
      id={id}
      label={t('address.country')}
      error={error}
      autoComplete="country-name"
      value={value}
      onChange={onChange}
      full
    >
      {countries.length === 0 && (
        <option value={value}>{value === DEFAULT_COUNTRY ? t('address.australia') : value}</option>
      )}
      {countries.length > 0 && (
        <>
          <optgroup label={t('address.featured')}>
            {countries
              .filter((country) => country.featured)
              .map((country) => (
                <option key={country.short} value={country.en}>
                  {countryName(country)}
                </option>
              ))}
          </optgroup>
          <optgroup label={t('address.allCountries')}>
            {otherCountries(countries).map((country) => (
              <option key={country.short} value={country.en}>
                {countryName(country)}
              </option>
            ))}
          </optgroup>
        </>
      )}
    </SelectField>
  );
}
