import { useEffect, useState } from 'react';
import type { Arrival } from '../api/types';
import { askArrival } from '../stores/arrival';
import type { Place } from '../stores/known-place';
import { ArrivalNote } from './ArrivalNote';

/** The amounts may change several times in a row. */
const ASKED_AFTER_MS = 400;

interface Props {
  /** Null if no place is known yet. */
  to: Place | null;
  goods: readonly { goodsId: number; goodsAmount: number }[];
}

/** Shows when products arrive at a place at the earliest, and when they can be picked up. */
export function NextArrival({ to, goods }: Props) {
  const [found, setFound] = useState<{ to: string; arrival: Arrival | null }>({ to: '', arrival: null });
  const place = JSON.stringify(to);
  const wanted = JSON.stringify(goods.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount })));

  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const set = (arrival: Arrival | null) => {
        if (!controller.signal.aborted) setFound({ to: place, arrival });
      };
      if (wanted === '[]') return set(null);
      // Where it is not known nothing is promised; the cart and the checkout show what else is wrong.
      askArrival(JSON.parse(place), JSON.parse(wanted), controller.signal).then(set, () => set(null));
    }, ASKED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [place, wanted]);

  // Until the next answer for the same place the last one stays in sight.
  return found.arrival && found.to === place ? <ArrivalNote arrival={found.arrival} /> : null;
}
