/* When the shop loads a customer's data automatically (docs/product.md#session). */
import { read } from './storage';

/** The key of the customer whose visit this tab has begun. */
export const VISIT = 'visit';

function isReload(): boolean {
  const entries = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return entries.some((entry) => entry.type === 'reload');
}

/** Shows whether this page begins the visit of a customer: the first one of a tab with their login, or a reload. */
export function beginsVisit(): boolean {
  if (!localStorage.getItem('token')) return false;
  return isReload() || read(sessionStorage, VISIT) !== localStorage.getItem('account');
}

/** Shows whether the last page of this tab has kept changes of a cart for this one (docs/product.md#carts). */
export function hasUnsaved(): boolean {
  return Object.keys(sessionStorage).some((key) => key.endsWith('.unsaved'));
}
