/*
 * Asks where the reader wants deliveries, for the whole page: [data-ask-place] is a link that opens the dialog. Without
 * script it opens the cart, which asks the same.
 */
import { loadTextsOf } from '../i18n';
import { showError } from '../ui/toast';
import { ensureToastRegion } from '../ui/toast-region';

async function ask(): Promise<void> {
  const [{ openPlaceDialog }] = await Promise.all([import('./PlaceDialog'), loadTextsOf('place')]);
  await openPlaceDialog();
}

function onClick(event: MouseEvent): void {
  if (!(event.target as Element).closest('[data-ask-place]')) return;
  event.preventDefault();
  ask().catch(showError);
}

/** Listens for the page's links that ask for the place. */
export default async function start(): Promise<void> {
  await ensureToastRegion();
  document.addEventListener('click', onClick);
}
