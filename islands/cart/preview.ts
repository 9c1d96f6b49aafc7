import { useEffect, useState } from 'react';
import type { Preview } from '../api/types';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import { place } from '../stores/place';
import { askPreview, isKnown, type Question } from '../stores/preview';
import * as promotions from '../stores/promotion-cart';
import type { Line } from '../stores/snapshot';

/** The cart may change several times in a row. */
const ASKED_AFTER_MS = 400;

/** What the server says of the checked lines: nothing yet, what an order of them would hold, or why there is none. */
export interface CartPreview {
  preview: Preview | null;
  error: unknown;
  isAsked: boolean;
}

const NOTHING: CartPreview = { preview: null, error: null, isAsked: false };

const asked = (lines: readonly Line[]) => lines.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount }));

function question(): Question | null {
  const [group, second] = promotions.chosen.value;
  const orderGoods = asked([...cart.checked.value, ...bulk.checked.value]);
  const actionTypeId = group?.goodsActionTypeId ?? 0;
  const actionGoods = group
    ? asked(promotions.checkedOf(group)).map((line) => ({ actionTypeId, ...line }))
    : [];
  if (second || orderGoods.length + actionGoods.length === 0) return null;
  return { orderGoods, actionGoods, to: place.value && isKnown(place.value) ? place.value : null };
}

/**
 * Asks what an order of the checked lines would hold, sent to the last place, whenever they change. Where the place
 * is refused it asks again without one. Its reader calls `useSignals`.
 */
export function useCartPreview(): CartPreview {
  const [answer, setAnswer] = useState<CartPreview & { to?: string }>(NOTHING);
  const wanted = JSON.stringify(question());

  useEffect(() => {
    const now: Question | null = JSON.parse(wanted);
    const controller = new AbortController();
    const set = (found: CartPreview) => {
      if (!controller.signal.aborted) setAnswer({ ...found, to: wanted });
    };
    async function ask(of: Question): Promise<Preview> {
      try {
        return await askPreview(of, controller.signal);
      } catch (error) {
        if (!of.to || controller.signal.aborted) throw error;
        return await askPreview({ ...of, to: null }, controller.signal);
      }
    }
    const timer = setTimeout(() => {
      if (!now) return set(NOTHING);
      ask(now).then(
        (preview) => set({ preview, error: null, isAsked: false }),
        (error) => set({ preview: null, error, isAsked: false }),
      );
    }, ASKED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted]);

  return answer.to === wanted ? answer : { ...NOTHING, isAsked: wanted !== 'null' };
}
