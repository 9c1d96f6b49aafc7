/** What identifies the focused element after it is replaced. */
export type Focus =
  | { kind: 'field'; name: string; value: string; typed: string | null }
  | { kind: 'sort' }
  | { kind: 'category'; within: string }
  | { kind: 'products' };

/** What has the links to categories. */
const CATEGORIES = ['.tree', '.groups', '.subs'];

/** Gives where the focus goes after an update of the list: the same control, or the list. */
export function focusOf(element: HTMLElement): Focus {
  if (element instanceof HTMLInputElement) {
    const isTyped = element.type === 'number';
    return { kind: 'field', name: element.name, value: element.value, typed: isTyped ? element.value : null };
  }
  if (element.closest('.menu')) return { kind: 'sort' };
  const within = CATEGORIES.find((each) => element.closest(each));
  if (within) return { kind: 'category', within };
  return { kind: 'products' };
}

/** Gives the number field of the filters that has the focus, if any. */
export function typing(): Focus | null {
  const active = document.activeElement;
  const isField = active instanceof HTMLInputElement && active.matches('form.facets [type=number]');
  return isField ? focusOf(active) : null;
}

function find(focus: Focus): HTMLElement | null {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  if (focus.kind === 'field') {
    const fields = all('form.facets input') as HTMLInputElement[];
    const named = fields.filter((field) => field.name === focus.name);
    return named.find((field) => focus.typed !== null || field.value === focus.value) ?? null;
  }
  if (focus.kind === 'sort') {
    return all('.menu summary').find((summary) => summary.offsetParent !== null) ?? null;
  }
  if (focus.kind === 'category') {
    return document.querySelector<HTMLElement>(`${focus.within} [aria-current]`);
  }
  return document.querySelector<HTMLElement>('#products');
}

/** Restores a lost focus, and what was typed, without scrolling. */
export function restoreFocus(focus: Focus | null): void {
  const lost = !document.activeElement || document.activeElement === document.body;
  const found = focus && lost ? find(focus) : null;
  found?.focus({ preventScroll: true });
  if (found instanceof HTMLInputElement && focus?.kind === 'field' && focus.typed !== null) {
    found.value = focus.typed;
  }
}
