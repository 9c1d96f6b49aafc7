import { effect } from '@preact/signals-core';
import { loadTexts, t } from '../i18n';
import { dismiss, pause, resume, type Toast, type ToastKind, toasts } from '../stores/toast';
import { icon, make } from './dom';
import type { IconName } from './icons';

const ICON: Record<ToastKind, IconName> = {
  ok: 'circle-check',
  warn: 'triangle-alert',
  error: 'circle-alert',
};

function draw(toast: Toast): HTMLElement {
  const close = make('button', { type: 'button', 'aria-label': t('ui.dismiss') }, icon('x'));
  close.onclick = () => dismiss(toast.id);
  const element = make(
    'div',
    { class: `toast toast--${toast.kind}` },
    icon(ICON[toast.kind]),
    toast.text,
    close,
  );
  if (toast.kind === 'error') element.setAttribute('role', 'alert');
  return element;
}

/** Moves the messages into the open modal dialog, if there is one: everything outside of it is inert. */
function settle(place: HTMLElement): void {
  const home = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;
  if (place.parentElement !== home) home.append(place);
}

let region: Promise<void> | undefined;

/** Loads the page's language and puts the one place for short messages at the page's end, once. */
export function ensureToastRegion(): Promise<void> {
  region ??= loadTexts().then(() => {
    const place = make('div', {
      class: 'toasts',
      role: 'region',
      'aria-label': t('ui.messages'),
      'aria-live': 'polite',
    });
    place.addEventListener('pointerenter', pause);
    place.addEventListener('pointerleave', resume);
    place.addEventListener('focusin', pause);
    place.addEventListener('focusout', resume);
    document.body.append(place);
    document.addEventListener('close', () => settle(place), true);
    const drawn = new Map<number, HTMLElement>();
    effect(() => {
      settle(place);
      const wanted = new Set(toasts.value.map((toast) => toast.id));
      for (const [id, element] of drawn) {
        if (!wanted.has(id)) {
          element.remove();
          drawn.delete(id);
        }
      }
      for (const toast of toasts.value) {
        if (drawn.has(toast.id)) continue;
        const element = draw(toast);
        drawn.set(toast.id, element);
        place.append(element);
      }
    });
  });
  return region;
}
