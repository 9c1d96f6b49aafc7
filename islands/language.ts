/* Follows the language that another tab chooses (docs/product.md#language); what few need is loaded when they do. */
import { readShared } from './stores/storage';

const newest = () => readShared<string>(localStorage, 'language');

/** The choice that this page follows: the newest before it was loaded or left, whatever language it has. */
let settled: string | null = null;
let isTyped: boolean;

async function follow(): Promise<void> {
  const choice = newest();
  if (!choice || choice === settled || document.hidden) return;
  settled = choice;
  (await import('./language-switch')).follow(choice, isTyped);
}

/**
 * Follows what another tab chooses. `known`: the choice that this page was loaded with; `hasTyped`: whether its reader
 * has typed something since.
 */
export function followLanguage(known: string | null, hasTyped: boolean): void {
  settled = known;
  isTyped = hasTyped;
  addEventListener('input', () => {
    isTyped = true;
  });
  // Back shows this page as it was left.
  addEventListener('pagehide', () => {
    settled = newest();
  });
  // A tab that was frozen or in the back/forward cache hears of it only when it is seen again.
  for (const type of ['storage', 'pageshow', 'focus', 'visibilitychange']) addEventListener(type, follow);
  // It may have been chosen before this was loaded.
  void follow();
}
