import { type FormEvent, useState } from 'react';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { t } from '../i18n';
import { DEFAULT_COUNTRY, type Place, placeLine } from '../stores/known-place';
import { isKnown } from '../stores/preview';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { later } from '../ui/later';
import { CountryField } from './CountryField';
import { PLACE_ID } from './place-id';
import { loadChina, loadMalaysia, loadTaiwan } from './regions';
import { SuburbField } from './SuburbField';
import { labelOf, loadSuburbs, namedSuburb, type Suburb } from './suburbs';

const Cascade = later(async () => (await import('./Cascade')).Cascade, '4.5rem');

/** The countries whose freight may differ by the largest part. */
const PARTS = {
  China: { load: loadChina, label: 'address.province' },
  Malaysia: { load: loadMalaysia, label: 'address.state' },
  Taiwan: { load: loadTaiwan, label: 'address.county' },
} as const;

const POSTCODE = /^\d{4}$/;

interface Props {
  initial: Place | null;
  onPlace: (place: Place) => void;
  /** Called when the place that was given before holds no more. */
  onEdit?: () => void;
  errors?: readonly FormError[];
}

const placeOfSuburb = ({ suburb, state, postcode, council }: Suburb): Place => ({
  country: DEFAULT_COUNTRY,
  cityName: [state, council, suburb],
  city: postcode,
});

/** Asks for a place, as far as freight depends on it: the country and a suburb, a post code or a province. */
export function PlaceForm({ initial, onPlace, onEdit, errors = [] }: Props) {
  const [place, setPlace] = useState<Place>(initial ?? { country: DEFAULT_COUNTRY, cityName: [], city: '' });
  const [typed, setTyped] = useState(() =>
    initial?.country === DEFAULT_COUNTRY ? placeLine(initial, '') : '',
  );
  const [problem, setProblem] = useState('');
  const error = problem || errorOf(errors, PLACE_ID);
  const parts = place.country in PARTS ? PARTS[place.country as keyof typeof PARTS] : null;

  function edit(next: Place) {
    setPlace(next);
    setProblem('');
    onEdit?.();
  }

  function choose(suburb: Suburb) {
    setTyped(labelOf(suburb).trim());
    setPlace(placeOfSuburb(suburb));
    setProblem('');
    onPlace(placeOfSuburb(suburb));
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isKnown(place)) return onPlace(place);
    if (place.country !== DEFAULT_COUNTRY || !typed.trim()) return setProblem(t('freight.addressEmpty'));
    const named = namedSuburb(await loadSuburbs(typed).catch(() => []), typed);
    if (named) choose(named);
    // Without the list of suburbs a post code is enough.
    else if (POSTCODE.test(typed.trim())) onPlace({ ...place, city: typed.trim() });
    else setProblem(t('freight.suburbUnknown'));
  }

  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="fields">
        <CountryField
          id={`${PLACE_ID}-country`}
          value={place.country}
          onChange={(country) => {
            setTyped('');
            edit({ country, cityName: [], city: '' });
          }}
        />
        {place.country === DEFAULT_COUNTRY && (
          <SuburbField
            id={PLACE_ID}
            label={t('freight.suburb')}
            value={typed}
            error={error}
            onType={(text) => {
              setTyped(text);
              edit({ country: DEFAULT_COUNTRY, cityName: [], city: '' });
            }}
            onChoose={choose}
          />
        )}
        {parts && (
          <Cascade
            key={place.country}
            load={parts.load}
            levels={[{ id: PLACE_ID, label: t(parts.label) }]}
            chosen={place.cityName}
            errors={error ? [{ id: PLACE_ID, text: error }] : []}
            onChange={(path) => edit({ ...place, cityName: path.map((region) => region.label), city: '' })}
          />
        )}
        {place.country !== DEFAULT_COUNTRY && !parts && (
          <InputField
            id={PLACE_ID}
            label={t('address.postcodeOptional')}
            error={error}
            autoComplete="postal-code"
            maxLength={12}
            value={place.city}
            onChange={(event) => edit({ ...place, city: event.target.value })}
          />
        )}
        <div>
          <Button type="submit" kind="soft">
            {t('freight.show')}
          </Button>
        </div>
      </div>
    </form>
  );
}
