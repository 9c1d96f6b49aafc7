/*
 * Shows what sending the product of the page to the last place costs. The elements of a [data-estimate]:
 *   [data-freight]   the line with the amount, or why nothing is sent there; its own text while nothing is known
 */
import type { Preview } from '../api/types';
import { loadTextsOf, t } from '../i18n';
import { formatAud, toCents } from '../money';
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

async function ask(root: HTMLElement, signal: AbortSignal): Promise<string> {
  const place = knownPlace();
  const goodsId = Number(root.querySelector<HTMLElement>('[data-estimate]')?.dataset.estimate);
  const typed = Number(root.querySelector<HTMLInputElement>('[data-buy] [name="goodsAmount"]')?.value);
  if (!place || !isKnown(place) || !goodsId) return '';
  const goodsAmount = Number.isInteger(typed) && typed > 0 ? typed : 1;
  await loadTextsOf('place');
  try {
    const question = { orderGoods: [{ goodsId, goodsAmount }], actionGoods: [], to: place };
    return sentence(await askPreview(question, signal));
  } catch (error) {
    // The cart and the checkout show what else is wrong.
    return notDelivered(error);
  }
}

/** Asks what sending the page's product costs, a moment after the last call. */
export function estimate(root: HTMLElement): void {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    latest?.abort();
    const mine = new AbortController();
    latest = mine;
    const found = await ask(root, mine.signal).catch(() => '');
    const line = root.querySelector<HTMLElement>('[data-freight]');
    if (!line || mine.signal.aborted) return;
    line.dataset.text ??= line.textContent ?? '';
    line.textContent = found || line.dataset.text;
  }, ASKED_AFTER_MS);
}
