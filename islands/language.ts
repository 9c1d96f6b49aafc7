/*
 * Follows the language that another tab chooses (docs/product.md#language). Every page has this, so what few need is
 * loaded when they do.
 */
import { readShared } from './stores/storage';
import { whenTouched } from './touch';

const newest = () => readShared<string>(localStorage, 'language');

/** The choice that this page follows: the newest before it was loaded or left, whatever language it has. */
let settled = newest();
let isTyped = false;

async function follow(): Promise<void> {
  const choice = newest();
  if (!choice || choice === settled || document.hidden) return;
  settled = choice;
  (await import('./language-switch')).follow(choice, isTyped);
}

/** Keeps the language that a link to the other language chooses, and follows what another tab has chosen. */
export function followLanguage(): void {
  whenTouched(document.body, async () => (await import('./language-switch')).keepChosen(), 'a[hreflang]');
  addEventListener('input', () => {
    isTyped = true;
  });
  // Back shows this page as it was left.
  addEventListener('pagehide', () => {
    settled = newest();
  });
  // A tab that was frozen or in the back/forward cache hears of it only when it is seen again.
  for (const type of ['storage', 'pageshow', 'focus', 'visibilitychange']) addEventListener(type, follow);
}
