import { signal } from '@preact/signals-core';
import { errorText } from '../i18n';

export type ToastKind = 'ok' | 'warn' | 'error';

export interface Toast {
  id: number;
  kind: ToastKind;
  text: string;
}

const LIFE = 5000;
/** Errors come at most one per 2 s; later ones are dropped (SPEC 8). */
const ERROR_GAP = 2000;

export const toasts = signal<Toast[]>([]);

let nextId = 1;
let lastError = Number.NEGATIVE_INFINITY;
const clocks = new Map<number, ReturnType<typeof setTimeout>>();

function startClock(id: number): void {
  clocks.set(
    id,
    setTimeout(() => dismiss(id), LIFE),
  );
}

/** Shows a short message for 5 s. Good news takes the place of the good news before it, a repeated text of itself. */
export function show(kind: ToastKind, text: string): void {
  const id = nextId++;
  const others = toasts.value.filter(
    (toast) => toast.kind !== kind || (kind !== 'ok' && toast.text !== text),
  );
  toasts.value = [...others, { id, kind, text }];
  startClock(id);
}

/** Shows what went wrong: a ShopError, or a text of the catalogue. */
export function showError(error: unknown): void {
  const now = Date.now();
  if (now - lastError < ERROR_GAP) return;
  lastError = now;
  show('error', typeof error === 'string' ? error : errorText(error));
}

/** Removes a message. */
export function dismiss(id: number): void {
  clearTimeout(clocks.get(id));
  clocks.delete(id);
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** Stops the clocks while the customer points at or focuses the messages. */
export function pause(): void {
  for (const clock of clocks.values()) clearTimeout(clock);
}

/** Gives every message its full time again. */
export function resume(): void {
  for (const { id } of toasts.value) {
    clearTimeout(clocks.get(id));
    startClock(id);
  }
}
