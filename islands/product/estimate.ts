/*
 * Shows what sending the product of the page to the last place costs, and when it comes. The elements:
 *   [data-freight]   the line with the amount, or why nothing is sent there; its own text while nothing is known
 *   [data-arrives]   when it arrives there     [data-pickup]   when and where it can be picked up
 */
import type { Arrival, Preview } from '../api/types';
import { deliveryLines, pickupLine } from '../arrival/words';
import { loadTextsOf, t } from '../i18n';
import { formatAud, toCents } from '../money';
import { askArrival } from '../stores/arrival';
import { knownPlace } from '../stores/known-place';
import { askPreview, isKnown, notDelivered } from '../stores/preview';

const ASKED_AFTER_MS = 400;
let timer: ReturnType<typeof setTimeout> | undefined;
let latest: AbortController | undefined;

function sentence({ freight, missingForFree }: Preview): string {
  if (!freight) return t('place.free');
  const amount = formatAud(toCents(freight));
  return missingForFree
    ? t('place.alone', { amount, missing: formatAud(toCents(missingForFree)) })
    : t('place.aloneOnly', { amount });
}

interface Line {
  goodsId: number;
  goodsAmount: number;
}

/** Gives the page's product in the amount that is typed. */
function lineOf(root: HTMLElement): Line {
  const goodsId = Number(root.querySelector<HTMLElement>('[data-estimate]')?.dataset.estimate);
  const typed = Number(root.querySelector<HTMLInputElement>('[data-buy] [name="goodsAmount"]')?.value);
  return { goodsId, goodsAmount: Number.isInteger(typed) && typed > 0 ? typed : 1 };
}

async function askFreight(line: Line, signal: AbortSignal): Promise<string> {
  const place = knownPlace();
  if (!place || !isKnown(place) || !line.goodsId) return '';
  await loadTextsOf('place');
  try {
    const question = { orderGoods: [line], actionGoods: [], to: place };
    return sentence(await askPreview(question, signal));
  } catch (error) {
    // The cart and the checkout show what else is wrong.
    return notDelivered(error);
  }
}

/** Asks when the page's product comes; null where that is not known, or while it is sold out. */
async function askWhen(root: HTMLElement, line: Line, signal: AbortSignal): Promise<Arrival | null> {
  if (!line.goodsId || !root.querySelector('[data-buy]')) return null;
  const [arrival] = await Promise.all([askArrival(knownPlace(), [line], signal), loadTextsOf('place')]);
  return arrival;
}

function write(root: HTMLElement, selector: string, text: string): void {
  const element = root.querySelector<HTMLElement>(selector);
  if (!element) return;
  element.dataset.text ??= element.textContent ?? '';
  element.textContent = text || element.dataset.text;
}

/** Asks what sending the page's product costs and when it comes, a moment after the last call. */
export function estimate(root: HTMLElement): void {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    latest?.abort();
    const mine = new AbortController();
    latest = mine;
    const line = lineOf(root);
    const [freight, arrival] = await Promise.all([
      askFreight(line, mine.signal).catch(() => ''),
      askWhen(root, line, mine.signal).catch(() => null),
    ]);
    if (mine.signal.aborted) return;
    write(root, '[data-freight]', freight);
    write(root, '[data-arrives]', arrival ? deliveryLines(arrival).join(' ') : '');
    write(root, '[data-pickup]', arrival ? pickupLine(arrival) : '');
  }, ASKED_AFTER_MS);
}
