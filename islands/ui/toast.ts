import { signal } from '@preact/signals-core';
import { errorText } from '../i18n';

export type ToastKind = 'ok' | 'warn' | 'error';

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

const LIFETIME_MS = 5000;
/** Errors come at most one per 2 s; later ones are dropped (docs/product.md#failures). */
const ERROR_GAP_MS = 2000;

export const toasts = signal<Toast[]>([]);

let nextId = 1;
let lastError = Number.NEGATIVE_INFINITY;
const clocks = new Map<number, ReturnType<typeof setTimeout>>();

function startClock(id: number): void {
  clocks.set(
    id,
    setTimeout(() => dismiss(id), LIFETIME_MS),
  );
}

/** Shows a toast for 5 s; `ok` replaces the `ok` before it, a repeated text replaces itself. */
export function show(kind: ToastKind, text: string): void {
  const id = nextId++;
  const others = toasts.value.filter(
    (toast) => toast.kind !== kind || (kind !== 'ok' && toast.text !== text),
  );
  toasts.value = [...others, { id, kind, text }];
  startClock(id);
}

/** Shows an error as a toast: a ShopError, or a text. */
export function showError(error: unknown): void {
  const now = Date.now();
  if (now - lastError < ERROR_GAP_MS) return;
  lastError = now;
  show('error', typeof error === 'string' ? error : errorText(error));
}

/** Removes a toast. */
export function dismiss(id: number): void {
  clearTimeout(clocks.get(id));
  clocks.delete(id);
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Stops the timers, while the customer points at or focuses the toasts. */
export function pause(): void {
  for (const clock of clocks.values()) clearTimeout(clock);
}

/** Restarts every toast's timer. */
export function resume(): void {
  for (const { id } of toasts.value) {
    clearTimeout(clocks.get(id));
    startClock(id);
  }
}
