/*
 * Opens the menu of all categories below its link, [data-categories="/categories/menu"], which names where the menu
 * comes from. Without script, and in browsers without popovers, the link opens the page of categories.
 */
import { make } from '../ui/dom';
import { fetchFragment } from './fragment';

const ID = 'category-menu';

let menu: HTMLElement | undefined;
/** True if the menu was open as the pointer went down: that has closed it before the click. */
let wasOpen = false;

const isOpen = () => menu?.matches(':popover-open') ?? false;

/** Makes the menu right behind its link, so that Tab goes from the link into it. */
async function makeMenu(link: HTMLElement): Promise<HTMLElement> {
  const made = make('div', { class: 'category-menu', id: ID, popover: 'auto' });
  made.innerHTML = await fetchFragment(link.dataset.categories);
  link.after(made);
  link.setAttribute('aria-controls', ID);
  made.addEventListener('toggle', () => link.setAttribute('aria-expanded', String(isOpen())));
  made.addEventListener('focusout', ({ relatedTarget }) => {
    const next = relatedTarget as Node | null;
    if (next && next !== link && !made.contains(next)) made.hidePopover();
  });
  return made;
}

async function toggle(link: HTMLAnchorElement): Promise<void> {
  link.setAttribute('aria-busy', 'true');
  try {
    menu ??= await makeMenu(link);
  } catch {
    location.assign(link.href);
    return;
  } finally {
    link.removeAttribute('aria-busy');
  }
  const { bottom } = (link.closest('nav') ?? link).getBoundingClientRect();
  menu.style.setProperty('--below', `${bottom + scrollY}px`);
  if (isOpen() || wasOpen) menu.hidePopover();
  else menu.showPopover();
  wasOpen = false;
}

function onClick(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>('[data-categories]');
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  event.preventDefault();
  void toggle(link);
}

/** Listens for the page's link that opens the menu. */
export function listenForCategories(): void {
  if (!('popover' in HTMLElement.prototype)) return;
  document.querySelector('[data-categories]')?.setAttribute('aria-expanded', 'false');
  document.addEventListener('click', onClick);
  document.addEventListener(
    'pointerdown',
    () => {
      wasOpen = isOpen();
    },
    { capture: true },
  );
}
