import { useEffect, useState } from 'react';
import { Combobox } from '../form/Combobox';
import { t } from '../i18n';
import { labelOf, loadSuburbs, type Suburb, searchSuburbs } from './suburbs';

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
  /** The first sign that was typed, which shows what part of the list is needed. */
  const [first, setFirst] = useState('');

  useEffect(() => {
    let current = true;
    // Without the list a suburb can still be typed.
    loadSuburbs(first).then((part) => current && setSuburbs(part), console.warn);
    return () => {
      current = false;
    };
  }, [first]);

  return (
    <Combobox
      id={id}
      label={label}
      hint={t('address.suburbHint')}
      error={error}
      text={value}
      listLabel={t('address.suburbs')}
      find={() =>
        searchSuburbs(suburbs, value).map((place) => ({
          value: place,
          label: labelOf(place),
          note: place.council && t('address.council', { name: place.council }),
        }))
      }
      found={(count) => (value.trim().length > 1 ? t('address.suburbsFound', { count }) : '')}
      onType={(text) => {
        setFirst(text.trim().slice(0, 1).toLowerCase());
        onType(text);
      }}
      onChoose={onChoose}
    />
  );
}
