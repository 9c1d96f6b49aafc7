import { vi } from 'vitest';
import { makeProduct } from './fake-shop';

export const [RICE, TEA, HONEY] = [
  makeProduct(1),
  makeProduct(2, { memberPrice: 26.8 }),
  makeProduct(3, { memberPrice: 62 }),
];
/** So many milliseconds after the last change of a line it is written. */
export const QUIET = 350;

/** Loads the cart store as a new page does. */
export async function openPage() {
  vi.resetModules();
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  return import('../stores/cart');
}

export type Cart = Awaited<ReturnType<typeof openPage>>;

/** Returns the product and the amount of each line. */
export const amounts = (cart: Cart) => cart.lines.value.map((line) => [line.goodsId, line.goodsAmount]);

/** Returns the texts of the toasts that the page shows. */
export async function toastTexts(): Promise<string[]> {
  const { toasts } = await import('../ui/toast');
  return toasts.value.map((toast) => toast.text);
}
