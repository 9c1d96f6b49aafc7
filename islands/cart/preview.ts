import { useEffect, useState } from 'react';
import { ShopError } from '../api/client';
import type { Preview } from '../api/types';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import { place } from '../stores/place';
import { askPreview, isKnown, notDelivered, type Question } from '../stores/preview';
import * as promotions from '../stores/promotion-cart';
import type { Line } from '../stores/snapshot';

/** The cart may change several times in a row. */
const ASKED_AFTER_MS = 400;

/** The server's answer for the checked lines: nothing yet, what an order of them would hold, or why there is
none. */
export interface CartPreview {
  /** While `isAsked`, what it was before the last change. */
  preview: Preview | null;
  /** Why they cannot be sent to the last place, if the shop gives a reason. */
  refused: string;
  error: unknown;
  isAsked: boolean;
}

const NOTHING: CartPreview = { preview: null, refused: '', error: null, isAsked: false };

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

type Found = Pick<CartPreview, 'preview' | 'refused'>;

/** The answers on their way, by their questions: the drawer over the cart page asks the same at the same time. */
const underWay = new Map<string, Promise<Found>>();

function ask(wanted: string): Promise<Found> {
  const answer = underWay.get(wanted) ?? find(JSON.parse(wanted)).finally(() => underWay.delete(wanted));
  underWay.set(wanted, answer);
  return answer;
}

async function find(wanted: Question): Promise<Found> {
  try {
    return { preview: await askPreview(wanted), refused: '' };
  } catch (error) {
    const [promoted] = wanted.actionGoods;
    if (promoted && error instanceof ShopError && error.fields.actionTypeId) {
      promotions.endEarly(promoted.actionTypeId);
      throw error;
    }
    if (!wanted.to) throw error;
    return { preview: await askPreview({ ...wanted, to: null }), refused: notDelivered(error) };
  }
}

/**
 * Asks what an order of the checked lines would hold, sent to the last place, whenever they change. Where the place
 * is refused it asks again without one, and keeps the reason. Its reader calls `useSignals`.
 */
export function useCartPreview(): CartPreview {
  const [answer, setAnswer] = useState<CartPreview & { to?: string }>(NOTHING);
  const wanted = JSON.stringify(question());

  useEffect(() => {
    let isOver = false;
    const set = (found: Partial<CartPreview>) => {
      if (!isOver) setAnswer({ ...NOTHING, ...found, to: wanted });
    };
    const timer = setTimeout(() => {
      if (wanted === 'null') return set(NOTHING);
      ask(wanted).then(set, (error) => set({ error }));
    }, ASKED_AFTER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [wanted]);

  if (answer.to === wanted) return answer;
  // Until the next answer the last one stays in sight.
  return wanted === 'null' ? NOTHING : { ...NOTHING, preview: answer.preview, isAsked: true };
}
