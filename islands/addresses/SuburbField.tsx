import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { t } from '../i18n';
import { Field } from '../ui/Field';
import { labelOf, loadSuburbs, type Suburb, searchSuburbs } from './regions';

interface Props {
  id: string;
  label?: string;
  value: string;
  error?: string;
  /** Called with the text whenever it changes. */
  onType: (text: string) => void;
  /** Called with the suburb chosen from the list. */
  onChoose: (place: Suburb) => void;
}

/** A field for a suburb that suggests Australian ones by name or post code. */
export function SuburbField({ id, label = t('address.suburb'), value, error, onType, onChoose }: Props) {
  const [suburbs, setSuburbs] = useState<Suburb[]>([]);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const listId = useId();
  const found = open ? searchSuburbs(suburbs, value) : [];
  const shown = found.length > 0;

  useEffect(() => {
    // Without the list a suburb can still be typed.
    loadSuburbs().then(setSuburbs, console.warn);
  }, []);

  function choose(place: Suburb) {
    onChoose(place);
    setOpen(false);
    setActive(-1);
  }

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const place = found[active];
    if (step && shown)
      setActive((active + step + found.length + (active < 0 && step < 0 ? 1 : 0)) % found.length);
    else if (event.key === 'ArrowDown') setOpen(true);
    else if (event.key === 'Enter' && place) choose(place);
    else if (event.key === 'Escape' && shown) setOpen(false);
    else {
      // It sends the form.
      if (event.key === 'Enter') setOpen(false);
      return;
    }
    event.preventDefault();
  }

  return (
    <Field id={id} label={label} hint={t('address.suburbHint')} error={error}>
      {(control) => (
        <div className="combo">
          <input
            {...control}
            className="input"
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={shown}
            aria-controls={listId}
            aria-activedescendant={shown && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            maxLength={60}
            value={value}
            onChange={(event) => {
              setOpen(true);
              setActive(-1);
              onType(event.target.value);
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setOpen(false)}
          />
          <div
            className="combo__list"
            role="listbox"
            id={listId}
            aria-label={t('address.suburbs')}
            hidden={!shown}
          >
            {found.map((place, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input (ARIA combobox pattern)
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
              <div
                key={labelOf(place)}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                // A blur would close the list before the click.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(place)}
              >
                {labelOf(place)}
                {place.council && <small>{t('address.council', { name: place.council })}</small>}
              </div>
            ))}
          </div>
          <p className="vh" role="status">
            {open && value.trim().length > 1 && t('address.suburbsFound', { count: found.length })}
          </p>
        </div>
      )}
    </Field>
  );
}
