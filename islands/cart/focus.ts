import { useEffect, useRef } from 'react';

/** Moves the focus to the title of the cart around an element that is about to go. */
export function focusTitle(element: Element): void {
  element.closest('dialog, shop-island')?.querySelector<HTMLElement>('[data-cart-title]')?.focus();
}

/** Moves the focus to the cart's title when its last line has gone with the focus; gives the title's properties. */
export function useTitle(isEmpty: boolean) {
  const title = useRef<HTMLHeadingElement>(null);
  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    const isLost = document.activeElement === document.body || document.activeElement?.tagName === 'DIALOG';
    if (isEmpty && !wasEmpty.current && isLost) title.current?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  return { ref: title, tabIndex: -1, 'data-cart-title': '' };
}
