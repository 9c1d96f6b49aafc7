/*
 * Marks products, by event delegation for the whole page and without React. The templates mark the elements:
 *   [data-favourite="7"]   a heart: puts the product into the default list, or takes it out
 *   [data-lists="7"]       opens the dialog with the customer's lists
 * A guest logs in first and comes back to the page; then the product is marked.
 */
import { loadTextsOf, t } from '../i18n';
import { loginUrl } from '../lang';
import { favourites, mark, unmark, wantFavourite } from '../stores/favourites';
import { isLoggedIn } from '../stores/session';
import { show, showError } from '../ui/toast';
import { ensureToastRegion } from '../ui/toast-region';

async function toggle(button: HTMLElement, goodsId: number): Promise<void> {
  if (button.hasAttribute('aria-busy')) return;
  button.setAttribute('aria-busy', 'true');
  const wasMarked = favourites().includes(goodsId);
  try {
    await (wasMarked ? unmark(goodsId) : mark(goodsId));
    show('ok', t(wasMarked ? 'favourites.removed' : 'favourites.added'));
  } catch (error) {
    showError(error);
  } finally {
    button.removeAttribute('aria-busy');
  }
}

function onClick(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>('[data-favourite], [data-lists]');
  if (!button) return;
  event.preventDefault();
  const goodsId = Number(button.dataset.favourite ?? button.dataset.lists);
  if (!isLoggedIn.value) {
    wantFavourite(goodsId);
    location.assign(loginUrl());
  } else if (button.dataset.favourite) void toggle(button, goodsId);
  else {
    import('./ListsDialog').then(({ openLists }) => openLists(goodsId)).catch(showError);
  }
}

/** Listens for the page's hearts. */
export default async function start(): Promise<void> {
  await Promise.all([loadTextsOf('favourites'), ensureToastRegion()]);
  document.addEventListener('click', onClick);
}
