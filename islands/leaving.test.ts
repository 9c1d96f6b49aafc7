import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from './testing/browser';

beforeEach(freshBrowser);

async function left() {
  const go = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const { leaveTo, leaving } = await import('./leaving');
  leaveTo('/sandbox-pay/1');
  expect(go).toHaveBeenCalledExactlyOnceWith('/sandbox-pay/1');
  return leaving;
}

it('disables the button while the browser leaves, and enables it if the customer stays', async () => {
  const leaving = await left();
  expect(leaving.value).toBe(true);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(leaving.value).toBe(false);
});

it('enables the button when Back restores the page', async () => {
  const leaving = await left();
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(leaving.value).toBe(true);
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(leaving.value).toBe(false);
});

it('lets the browser ask only while what was typed is shown', async () => {
  const { askBeforeLeaving } = await import('./leaving');
  const leave = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
  let isShown = true;
  const stop = askBeforeLeaving(() => isShown);
  expect(leave()).toBe(false);
  isShown = false;
  expect(leave()).toBe(true);
  isShown = true;
  stop();
  expect(leave()).toBe(true);
});
