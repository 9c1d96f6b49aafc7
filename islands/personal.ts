import type { ComponentType } from 'react';
import { account, onCustomerLeft } from './stores/session';
import { mountComponent } from './ui/mount';

/**
 * Mounts a component that shows what is a customer's own. Once they are logged out, or somebody else is in, it is hidden
 * at once; where another tab has done so, the page is loaded anew for who is there now (docs/product.md#session).
 */
export async function mountPersonal<P extends object>(
  element: HTMLElement,
  Component: ComponentType<P>,
  props: P,
): Promise<void> {
  const owner = account.value;
  document.addEventListener('shop:session', () => {
    if (owner && owner !== account.value) element.hidden = true;
  });
  // Once all are hidden: a form that is still shown would ask before the page is left.
  onCustomerLeft(() => setTimeout(() => location.reload()));
  await mountComponent(element, Component, props);
}
