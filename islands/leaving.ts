import { signal } from '@preact/signals-core';

/** If the page is still open after this time, the navigation was canceled. */
const LEAVES_WITHIN_MS = 15_000;

/** True while the browser goes to another page: a second press would do again what leads there. */
export const leaving = signal(false);

/** Goes to another page, such as the one of a payment. */
export function leaveTo(url: string): void {
  leaving.value = true;
  location.assign(url);
  setTimeout(stay, LEAVES_WITHIN_MS);
}

function stay(): void {
  leaving.value = false;
}

// Back may restore the page from the back/forward cache.
window.addEventListener('pageshow', (event) => event.persisted && stay());
