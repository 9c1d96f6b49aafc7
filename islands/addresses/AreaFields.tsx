import { useState } from 'react';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import type { Address } from '../stores/address';
import { InputField } from '../ui/Field';
import { Cascade } from './Cascade';
import { loadChina, loadMalaysia, loadPerth, loadTaiwan, type Region } from './regions';
import { SuburbField } from './SuburbField';

const STATES = ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'] as const;
/** The state whose councils are known, as far as they belong to Perth. */
const COUNCILS_STATE = 'WA';

interface Props {
  address: Address;
  errors: readonly FormError[];
  /** Gives a control's id for a field of the form. */
  idOf: (field: string) => string;
  onChange: (change: Partial<Address>) => void;
}

/** The fields that differ by country: areas and post code. */
export function AreaFields({ address, errors, idOf, onChange }: Props) {
  const [province = '', town = '', area = ''] = address.cityName;
  /** Whether the council was chosen automatically, and not with a suburb. */
  const [hasChosenCouncil, setChosenCouncil] = useState(false);
  const setArea = (index: number, text: string) =>
    onChange({ cityName: [province, town, area].map((part, place) => (place === index ? text : part)) });

  const postcode = (
    <InputField
      key="postcode"
      id={idOf('postcode')}
      label={t('address.postcode')}
      error={errorOf(errors, idOf('postcode'))}
      inputMode={address.country in NUMERIC_POSTCODES ? 'numeric' : 'text'}
      autoComplete="postal-code"
      maxLength={12}
      value={address.city}
      onChange={(event) => onChange({ city: event.target.value })}
    />
  );

  const cascade = (
    load: () => Promise<Region[]>,
    labels: [field: string, label: string][],
    postcodeOf: (path: Region[]) => string | undefined,
  ) => (
    <Cascade
      // Its state has the tree, so each country needs its own instance.
      key={address.country}
      load={load}
      levels={labels.map(([field, label]) => ({ id: idOf(field), label }))}
      chosen={address.country === 'Malaysia' ? [province, town, address.city] : [province, town, area]}
      errors={errors}
      onChange={(path) => {
        const [first = '', second = '', third = ''] = path.map((region) => region.label);
        const names = address.country === 'Malaysia' ? [first, second, ''] : [first, second, third];
        onChange({ cityName: names, city: postcodeOf(path) ?? '' });
      }}
    />
  );

  switch (address.country) {
    case 'Australia': {
      const suburb = (
        <SuburbField
          key="suburb"
          id={idOf('area')}
          value={area}
          error={errorOf(errors, idOf('area'))}
          onType={(text) => onChange({ cityName: [province, '', text] })}
          onChoose={(place) => {
            setChosenCouncil(false);
            onChange({ cityName: [place.state, place.council, place.suburb], city: place.postcode });
          }}
        />
      );
      const state = (
        <SelectField
          key="state"
          id={idOf('province')}
          label={t('address.state')}
          error={errorOf(errors, idOf('province'))}
          autoComplete="address-level1"
          value={province}
          onChange={(value) => setArea(0, value)}
        >
          <option value="">{t('address.choose')}</option>
          {STATES.map((each) => (
            <option key={each} value={each}>
              {t(`address.states.${each}`)}
            </option>
          ))}
        </SelectField>
      );
      if (province !== COUNCILS_STATE) return [suburb, state, postcode];
      const listsSuburbs = hasChosenCouncil && town !== '';
      const councils = (
        <Cascade
          key="councils"
          load={loadPerth}
          levels={[
            { id: idOf('town'), label: t('address.councilOptional') },
            ...(listsSuburbs ? [{ id: idOf('area'), label: t('address.suburbOfCouncil') }] : []),
          ]}
          chosen={[town, town && area]}
          errors={errors}
          onChange={([council, named]) => {
            setChosenCouncil(true);
            const suburbs = council?.children ?? [];
            // A suburb in two councils stays where it is typed already.
            const typed = suburbs.length === 1 ? suburbs[0] : suburbs.find(({ label }) => label === area);
            const chosen = named ?? typed;
            onChange({
              cityName: [province, council?.label ?? '', chosen?.label ?? (council ? '' : area)],
              city: chosen?.postcode ?? (council ? '' : address.city),
            });
          }}
        />
      );
      // A suburb is of a council, and a post code of a suburb.
      return [state, councils, !listsSuburbs && suburb, postcode];
    }
    case 'China':
      return (
        <>
          {cascade(
            loadChina,
            [
              ['province', t('address.province')],
              ['town', t('address.city')],
              ['area', t('address.district')],
            ],
            () => address.city,
          )}
          {postcode}
        </>
      );
    case 'Taiwan':
      return (
        <>
          {cascade(
            loadTaiwan,
            [
              ['province', t('address.county')],
              ['town', t('address.district')],
            ],
            ([, district]) => district && String(district.value),
          )}
          {postcode}
        </>
      );
    case 'Malaysia':
      return cascade(
        loadMalaysia,
        [
          ['province', t('address.state')],
          ['town', t('address.town')],
          ['postcode', t('address.postcode')],
        ],
        ([, , code]) => code?.label,
      );
    default:
      return (
        <>
          <InputField
            id={idOf('province')}
            label={t('address.stateOptional')}
            autoComplete="address-level1"
            maxLength={60}
            value={province}
            onChange={(event) => setArea(0, event.target.value)}
          />
          <InputField
            id={idOf('town')}
            label={t('address.cityOptional')}
            autoComplete="address-level2"
            maxLength={60}
            value={town}
            onChange={(event) => setArea(1, event.target.value)}
          />
          <InputField
            id={idOf('postcode')}
            label={t('address.postcodeOptional')}
            autoComplete="postal-code"
            maxLength={12}
            value={address.city}
            onChange={(event) => onChange({ city: event.target.value })}
          />
        </>
      );
  }
}

const NUMERIC_POSTCODES = { Australia: true, China: true, Taiwan: true };
