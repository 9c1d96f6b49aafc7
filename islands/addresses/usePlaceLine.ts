import { useEffect, useState } from 'react';
import { DEFAULT_COUNTRY, type Place, placeLine } from '../stores/known-place';

/** Writes a place in short, one abroad with its country in the page's language; empty for none. */
export function usePlaceLine(place: Place | null): string {
  const isAbroad = place !== null && place.country !== DEFAULT_COUNTRY;
  const known = place ? placeLine(place, isAbroad ? place.country : '') : '';
  const [abroad, setAbroad] = useState({ of: '', line: '' });
  useEffect(() => {
    let isOver = false;
    if (place && isAbroad) {
      import('./abroad')
        .then(({ lineAbroad }) => lineAbroad(place))
        .then((line) => isOver || setAbroad({ of: known, line }), console.warn);
    }
    return () => {
      isOver = true;
    };
  }, [place, isAbroad, known]);
  return isAbroad && abroad.of === known ? abroad.line : known;
}
