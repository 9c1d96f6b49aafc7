import { signal } from '@preact/signals-core';
import { errorText } from '../i18n';

export type ToastKind = 'ok' | 'warn' | 'error';

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
  /** What its button offers, such as to undo. */
  action?: { label: string; act: () => unknown };
}

const LIFETIME_MS = 5000;
/** Keyboard and screen reader users need longer to find the button. */
const ACTION_LIFETIME_MS = 20_000;
const MAX_TOASTS = 3;
/** Errors come at most one per 2 s; later ones are dropped (docs/product.md#failures). */
const ERROR_GAP_MS = 2000;

export const toasts = signal<Toast[]>([]);

let nextId = 1;
let lastError = Number.NEGATIVE_INFINITY;
const clocks = new Map<number, ReturnType<typeof setTimeout>>();

function startClock({ id, action }: Toast): void {
  clocks.set(
    id,
    setTimeout(() => dismiss(id), action ? ACTION_LIFETIME_MS : LIFETIME_MS),
  );
}

/**
 * Shows a toast for 5 s, one with an action for 20 s, and gives its id; `ok` replaces the `ok` before it, a repeated text replaces itself, and of
 * more than three the oldest goes.
 */
export function show(kind: ToastKind, text: string, action?: Toast['action']): number {
  const id = nextId++;
  const others = toasts.value.filter(
    (toast) => toast.kind !== kind || (kind !== 'ok' && toast.text !== text),
  );
  for (const { id: oldest } of others.slice(0, Math.max(0, others.length + 1 - MAX_TOASTS))) dismiss(oldest);
  const toast = { id, kind, text, action };
  toasts.value = [...others.slice(1 - MAX_TOASTS), toast];
  startClock(toast);
  return id;
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
  for (const toast of toasts.value) {
    clearTimeout(clocks.get(toast.id));
    startClock(toast);
  }
}
