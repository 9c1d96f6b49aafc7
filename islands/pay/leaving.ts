import { signal } from '@preact/signals-core';

/** Time to leave within; a page that is still here then has been kept by its visitor. */
const LEAVES_WITHIN = 15_000;

/** Whether the browser is on its way to where is paid: a second press would start the payment again. */
export const leaving = signal(false);

/** Goes to where is paid, once. */
export function leaveTo(url: string): void {
  leaving.value = true;
  location.assign(url);
  setTimeout(stay, LEAVES_WITHIN);
}

function stay(): void {
  leaving.value = false;
}

// The Back button may bring the page back as it was left.
window.addEventListener('pageshow', (event) => event.persisted && stay());
