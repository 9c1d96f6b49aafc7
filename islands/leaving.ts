import { signal } from '@preact/signals-core';

/** If the page is still open after this time, the navigation was canceled. */
const LEAVES_WITHIN_MS = 15_000;

/** True while the browser goes to another page: a second press would do again what opens it. */
export const leaving = signal(false);

/** Goes to another page, such as the one of a payment. */
export function leaveTo(url: string): void {
  leaving.value = true;
  location.assign(url);
  setTimeout(stay, LEAVES_WITHIN_MS);
}

/**
 * Lets the browser ask before it leaves the page, as what was typed would be lost; gives what ends that.
 * `isShown`: a customer who has turned away from a form leaves it on purpose.
 */
export function askBeforeLeaving(isShown: () => boolean): () => void {
  const ask = (event: BeforeUnloadEvent) => {
    if (!isShown()) return;
    event.preventDefault();
    // Chrome before 119 asks for this alone.
    event.returnValue = true;
  };
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}

function stay(): void {
  leaving.value = false;
}

// Back may restore the page from the back/forward cache.
window.addEventListener('pageshow', (event) => event.persisted && stay());
