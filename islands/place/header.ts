/* Writes into the header when something can arrive at the reader's place: [data-arrival] is next to the place. */
import { shortLine } from '../arrival/words';
import { loadTextsOf } from '../i18n';
import { lang } from '../lang';
import { askArrival } from '../stores/arrival';
import type { Place } from '../stores/known-place';
import { read, write } from '../stores/storage';

/** Pages of a visit do not ask again for some minutes. */
const FRESH_MS = 10 * 60_000;
const KEY = 'arrival';

interface Remembered {
  /** The place and the language. */
  of: string;
  text: string;
  until: number;
}

async function wordsFor(place: Place): Promise<string> {
  const of = JSON.stringify([lang(), place]);
  const last = read<Remembered>(sessionStorage, KEY);
  if (last?.of === of && last.until > Date.now()) return last.text;
  const [arrival] = await Promise.all([askArrival(place, []), loadTextsOf('place')]);
  const text = shortLine(arrival);
  write(sessionStorage, KEY, { of, text, until: Date.now() + FRESH_MS } satisfies Remembered);
  return text;
}

let calls = 0;

/** Shows when something can arrive at a place; null removes what was shown. */
export async function showArrival(place: Place | null): Promise<void> {
  const mine = ++calls;
  const text = place ? await wordsFor(place) : '';
  if (mine !== calls) return;
  for (const element of document.querySelectorAll('[data-arrival]')) element.textContent = text;
}
