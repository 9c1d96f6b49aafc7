import type { Component } from '#jsx/jsx-runtime';
import { account, onCustomerLeft } from './stores/session';
import { mountComponent } from './ui/mount';
import { ensureToastRegion } from './ui/toast-region';

/** The account that was logged in when the page was loaded; empty for a guest. */
const owner = account.value;
const hasLeft = () => owner !== '' && owner !== account.value;
// It may happen while an island of the page is still loaded.
const left = new Promise<void>((resolve) => onCustomerLeft(resolve));

/**
 * Mounts a component that shows a customer's own data. Once they are logged out, or another customer is in,
 * it is hidden immediately, or not mounted at all; if another tab has done so, the page is loaded again for
 * the present customer (docs/product.md#session).
 */
export async function mountPersonal<P extends object>(
  element: HTMLElement,
  Shown: Component<P>,
  props: P,
): Promise<void> {
  await ensureToastRegion();
  const hide = () => {
    element.hidden ||= hasLeft();
  };
  hide();
  document.addEventListener('shop:session', hide);
  // Once all are hidden: a form that is still shown would ask before the page is left.
  void left.then(() => setTimeout(() => location.reload()));
  if (!element.hidden) await mountComponent(element, Shown, props);
}
