import type { ComponentType } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { ensureToastRegion } from './toast-region';

/** Puts a component in place of an island's skeleton, once the page's language is loaded. */
export async function mountComponent<P extends object>(
  element: HTMLElement,
  Component: ComponentType<P>,
  props: P,
): Promise<void> {
  await ensureToastRegion();
  const root = createRoot(element);
  // Whoever waits for the island finds it drawn, so that a held click or the focus has somewhere to go.
  flushSync(() => root.render(<Component {...props} />));
}
