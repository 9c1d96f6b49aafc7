/*
 * Opens the sizes of a product from its card: a[data-sizes="/shop/sizes/7"] names where they come from. They have the
 * buttons of cards (islands/quick-add). Without script the link opens the product's page.
 */
import { paint } from '../badge';
import { make } from '../ui/dom';
import { ensureToastRegion } from '../ui/toast-region';
import { fetchFragment } from './fragment';

async function open(link: HTMLAnchorElement): Promise<void> {
  if (link.ariaBusy === 'true') return;
  link.setAttribute('aria-busy', 'true');
  try {
    const dialog = make('dialog', {
      class: 'dialog dialog--sheet',
      closedby: 'any',
      'aria-labelledby': 'sizes-title',
    });
    dialog.innerHTML = await fetchFragment(link.dataset.sizes);
    dialog.addEventListener('close', () => dialog.remove());
    dialog.addEventListener(
      'click',
      ({ target }) => (target as Element).closest('[data-close]') && dialog.close(),
    );
    document.body.append(dialog);
    paint();
    dialog.showModal();
    dialog.querySelector<HTMLElement>('#sizes-title')?.focus();
  } catch (error) {
    console.warn(error);
    location.assign(link.href);
  } finally {
    link.removeAttribute('aria-busy');
  }
}

function onClick(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-sizes]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  void open(link);
}

/** Listens for the page's links to sizes. */
export async function listenForSizes(): Promise<void> {
  await ensureToastRegion();
  document.addEventListener('click', onClick);
}
