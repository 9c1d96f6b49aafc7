import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

async function loadToasts() {
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  return import('./toast');
}

beforeEach(freshBrowser);

it('shows at most one error per 2 s, and drops the others', async () => {
  const toast = await loadToasts();
  toast.showError('first');
  vi.advanceTimersByTime(1999);
  toast.showError('second');
  vi.advanceTimersByTime(1);
  toast.showError('third');
  expect(toast.toasts.value.map(({ text }) => text)).toEqual(['first', 'third']);
});

it('shows each warning once, and only the latest success', async () => {
  const toast = await loadToasts();
  for (const text of ['one', 'two', 'two']) toast.show('warn', text);
  for (const text of ['three', 'four']) toast.show('ok', text);
  expect(toast.toasts.value.map(({ text }) => text)).toEqual(['one', 'two', 'four']);
});

it('never piles up more than three toasts', async () => {
  const toast = await loadToasts();
  for (const text of ['one', 'two', 'three', 'four', 'five']) toast.show('warn', text);
  expect(toast.toasts.value.map(({ text }) => text)).toEqual(['three', 'four', 'five']);
});

it('removes a toast after 5 s, but not while it is pointed at', async () => {
  const toast = await loadToasts();
  toast.show('ok', 'read me');
  vi.advanceTimersByTime(4000);
  toast.pause();
  vi.advanceTimersByTime(60_000);
  expect(toast.toasts.value).toHaveLength(1);
  toast.resume();
  vi.advanceTimersByTime(4999);
  expect(toast.toasts.value).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toast.toasts.value).toEqual([]);
});

it('moves the toasts off the field that has the focus', async () => {
  const toast = await loadToasts();
  const { ensureToastRegion } = await import('./toast-region');
  await ensureToastRegion();
  const place = (top: number) => () => new DOMRect(0, top, 390, 48);
  document.body.insertAdjacentHTML('afterbegin', '<input id="high"><input id="low">');
  const [high, low] = [...document.querySelectorAll('input')];
  if (high) high.getBoundingClientRect = place(100);
  if (low) low.getBoundingClientRect = place(700);
  vi.spyOn(HTMLDivElement.prototype, 'getBoundingClientRect').mockImplementation(place(690));
  const isAbove = () => document.querySelector('.toasts')?.classList.contains('toasts--above');
  high?.focus();
  toast.show('ok', 'saved');
  expect(isAbove()).toBe(false);
  low?.focus();
  expect(isAbove()).toBe(true);
  high?.focus();
  expect(isAbove()).toBe(false);
});

it('renders toasts in a live region, errors as alerts, with a close button', async () => {
  const toast = await loadToasts();
  const { ensureToastRegion } = await import('./toast-region');
  await ensureToastRegion();
  toast.show('ok', 'saved');
  toast.showError('lost');
  const region = document.querySelector('.toasts');
  expect(region?.getAttribute('aria-live')).toBe('polite');
  expect([...(region?.children ?? [])].map((line) => [line.textContent, line.getAttribute('role')])).toEqual([
    ['saved', null],
    ['lost', 'alert'],
  ]);
  region?.querySelector('button')?.click();
  expect(region?.textContent).toBe('lost');
});

it('offers an action for 20 s, by its button or Ctrl+Z, and gives the focus back', async () => {
  const toast = await loadToasts();
  const { ensureToastRegion } = await import('./toast-region');
  await ensureToastRegion();
  document.body.insertAdjacentHTML('afterbegin', '<button id="line"></button><input>');
  const act = vi.fn();
  const offer = () => toast.show('ok', 'removed', { label: 'Undo', act });
  offer();
  vi.advanceTimersByTime(19_999);
  const line = document.querySelector<HTMLElement>('#line');
  line?.focus();
  const button = document.querySelector<HTMLElement>('.toast button');
  expect(button?.textContent).toBe('Undo');
  button?.focus();
  button?.click();
  expect([act.mock.calls.length, toast.toasts.value, document.activeElement]).toEqual([1, [], line]);

  offer();
  const press = (target?: Element | null) =>
    target?.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));
  press(document.querySelector('input'));
  expect(act).toHaveBeenCalledTimes(1);
  press(line);
  expect([act.mock.calls.length, toast.toasts.value]).toEqual([2, []]);

  offer();
  vi.advanceTimersByTime(20_000);
  press(line);
  expect(act).toHaveBeenCalledTimes(2);
});

it('keeps a toast where it is while it is pressed', async () => {
  const toast = await loadToasts();
  const { ensureToastRegion } = await import('./toast-region');
  await ensureToastRegion();
  document.body.insertAdjacentHTML('afterbegin', '<input>');
  const field = document.querySelector('input');
  const place = () => new DOMRect(0, 690, 390, 48);
  if (field) field.getBoundingClientRect = place;
  vi.spyOn(HTMLDivElement.prototype, 'getBoundingClientRect').mockImplementation(place);
  field?.focus();
  toast.show('ok', 'removed', { label: 'Undo', act: () => {} });
  document.querySelector<HTMLElement>('.toast button')?.focus();
  expect(document.querySelector('.toasts')?.classList.contains('toasts--above')).toBe(true);
});
