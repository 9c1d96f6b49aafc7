import { effect } from '@preact/signals-core';
import { loadTexts, t } from '../i18n';
import { icon, make } from './dom';
import type { IconName } from './icons';
import { dismiss, pause, resume, type Toast, type ToastKind, toasts } from './toast';

const UNDO_KEYS = 'Control+Z Meta+Z';

const ICON: Record<ToastKind, IconName> = {
  ok: 'circle-check',
  warn: 'triangle-alert',
  error: 'circle-alert',
};

function takeAction({ id, action }: Toast): void {
  dismiss(id);
  action?.act();
}

function draw(toast: Toast): HTMLElement {
  const close = make('button', { type: 'button', 'aria-label': t('ui.dismiss') }, icon('x'));
  close.onclick = () => dismiss(toast.id);
  const element = make('div', { class: `toast toast--${toast.kind}` }, icon(ICON[toast.kind]), toast.text);
  if (toast.action) {
    const button = make('button', { type: 'button', 'aria-keyshortcuts': UNDO_KEYS }, toast.action.label);
    button.onclick = () => takeAction(toast);
    element.append(button);
  }
  element.append(close);
  if (toast.kind === 'error') element.setAttribute('role', 'alert');
  return element;
}

/** Moves the toasts into the open modal dialog, if there is one: everything outside of it is inert. */
function settle(box: HTMLElement): void {
  const parent = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;
  if (box.parentElement !== parent) parent.append(box);
}

function overlap(one: DOMRect, other: DOMRect): boolean {
  return one.top < other.bottom && other.top < one.bottom && one.left < other.right && other.left < one.right;
}

/** Moves the toasts up where they would cover what has the focus, such as a field that is being filled in. */
function makeRoom(box: HTMLElement): void {
  const focused = document.activeElement;
  // What is pressed stays where it is.
  if (box.contains(focused)) return;
  box.classList.remove('toasts--above');
  if (!focused || focused === document.body) return;
  const place = focused.getBoundingClientRect();
  const isCovered = [...box.children].some((toast) => overlap(toast.getBoundingClientRect(), place));
  box.classList.toggle('toasts--above', isCovered);
}

/** Ctrl+Z takes the action of the latest toast that has one, except where text is typed. */
function onKey(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
  const latest = toasts.value.filter((toast) => toast.action).pop();
  if (!isUndo || !latest || (event.target as Element).matches('input, textarea, select')) return;
  event.preventDefault();
  takeAction(latest);
}

/** Moves the focus from a toast that goes to where it came from, or to the page's title. */
function leave(element: HTMLElement, cameFrom: HTMLElement | null): void {
  if (!element.contains(document.activeElement)) return;
  const title = document.querySelector<HTMLElement>('dialog[open] h2, h1');
  const next = cameFrom?.isConnected ? cameFrom : title;
  if (next === title) title?.setAttribute('tabindex', '-1');
  next?.focus();
}

let region: Promise<void> | undefined;

/** Loads the texts and adds the region for toasts to the page, once. */
export function ensureToastRegion(): Promise<void> {
  region ??= loadTexts().then(() => {
    const box = make('div', {
      class: 'toasts',
      role: 'region',
      'aria-label': t('ui.messages'),
      'aria-live': 'polite',
    });
    box.addEventListener('pointerenter', pause);
    box.addEventListener('pointerleave', resume);
    let cameFrom: HTMLElement | null = null;
    box.addEventListener('focusin', ({ relatedTarget }) => {
      pause();
      if (!box.contains(relatedTarget as Node | null)) cameFrom = relatedTarget as HTMLElement | null;
    });
    box.addEventListener('focusout', resume);
    document.body.append(box);
    document.addEventListener('close', () => settle(box), true);
    document.addEventListener('focusin', () => makeRoom(box));
    document.addEventListener('keydown', onKey);
    const drawn = new Map<number, HTMLElement>();
    effect(() => {
      settle(box);
      const current = new Set(toasts.value.map((toast) => toast.id));
      for (const [id, element] of drawn) {
        if (!current.has(id)) {
          leave(element, cameFrom);
          element.remove();
          drawn.delete(id);
        }
      }
      for (const toast of toasts.value) {
        if (drawn.has(toast.id)) continue;
        const element = draw(toast);
        drawn.set(toast.id, element);
        box.append(element);
      }
      makeRoom(box);
    });
  });
  return region;
}
