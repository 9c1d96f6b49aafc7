import { signal } from '@preact/signals-core';
import type { CartProps } from '../cart/CartPage';
import { loadTextsOf } from '../i18n';
import { load } from '../stores/carts';
import { make } from '../ui/dom';
import { mountComponent } from '../ui/mount';
import { Drawer, TITLE_ID } from './Drawer';

const STATE = { drawer: 'cart' };

function isOutside(event: MouseEvent, dialog: HTMLElement): boolean {
  const box = dialog.getBoundingClientRect();
  return event.target === dialog && (event.clientX < box.left || event.clientX > box.right);
}

/**
 * Makes the cart link inside `element` open the drawer. Esc, the backdrop, the button and Back close it,
 * and the focus returns to the link.
 */
export default async function mount(element: HTMLElement, props: CartProps): Promise<void> {
  const link = element.querySelector<HTMLAnchorElement>('a');
  if (!link) throw new Error('The cart drawer has no link to open it');
  await loadTextsOf('cart');
  const dialog = make('dialog', { class: 'drawer', 'aria-labelledby': TITLE_ID });
  document.body.append(dialog);
  const isOpen = signal(false);
  await mountComponent(dialog, Drawer, { ...props, isOpen, onClose: () => dialog.close() });

  const hasEntry = () => history.state?.drawer === STATE.drawer;
  // history.back() takes effect later, and would take away an entry that is pushed in the meantime.
  let goingBack = false;
  link.addEventListener('click', (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void load();
    dialog.showModal();
    isOpen.value = true;
    if (!goingBack && !hasEntry()) history.pushState(STATE, '');
  });
  dialog.addEventListener('click', (event) => isOutside(event, dialog) && dialog.close());
  dialog.addEventListener('close', () => {
    // The event comes after the close, and the drawer may be open again.
    if (dialog.open) return;
    isOpen.value = false;
    link.focus();
    if (goingBack || !hasEntry()) return;
    goingBack = true;
    history.back();
  });
  window.addEventListener('popstate', () => {
    if (!goingBack) return dialog.close();
    goingBack = false;
    if (dialog.open) history.pushState(STATE, '');
    // Going back to a URL with a fragment moves the focus there after the event.
    else setTimeout(() => link.focus());
  });
}
