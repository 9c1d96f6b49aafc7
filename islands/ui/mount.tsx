import type { ComponentType } from 'react';
import { createRoot } from 'react-dom/client';
import { ensureToastRegion } from './toast-region';

/** Puts a component in place of an island's skeleton, once the page's language is loaded. */
export async function mountComponent<P extends object>(
  element: HTMLElement,
  Component: ComponentType<P>,
  props: P,
): Promise<void> {
  await ensureToastRegion();
  createRoot(element).render(<Component {...props} />);
}
