import type { ComponentType } from 'react';
import { onCustomerLeft } from './stores/session';
import { mountComponent } from './ui/mount';

/**
 * Mounts a component that shows what is a customer's own. Once another tab has logged them out, or somebody else in,
 * it is hidden at once, and the page is loaded anew for who is there now (docs/product.md#session).
 */
export async function mountPersonal<P extends object>(
  element: HTMLElement,
  Component: ComponentType<P>,
  props: P,
): Promise<void> {
  onCustomerLeft(() => {
    element.hidden = true;
    // Once all are hidden: a form that is still shown would ask before the page is left.
    setTimeout(() => location.reload());
  });
  await mountComponent(element, Component, props);
}
