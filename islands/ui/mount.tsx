import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import type { Component } from '#jsx/jsx-runtime';
import { make } from './dom';
import { ensureToastRegion } from './toast-region';

/** Replaces an island's skeleton by a component, once the texts are loaded. */
export async function mountComponent<P extends object>(
  element: HTMLElement,
  Shown: Component<P>,
  props: P,
): Promise<void> {
  await ensureToastRegion();
  const root = createRoot(element);
  // The island is rendered when this resolves, so that a held click or the focus finds its element.
  flushSync(() => root.render(<Shown {...props} />));
}

/** Returns a function that puts a component at the end of the page when it is first called. */
export function mountOnce(Shown: Component<object>): () => Promise<void> {
  let mounted: Promise<void> | undefined;
  return () => {
    if (!mounted) {
      const holder = make('div');
      document.body.append(holder);
      mounted = mountComponent(holder, Shown, {});
    }
    return mounted;
  };
}
