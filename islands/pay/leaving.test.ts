import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

beforeEach(freshBrowser);

async function left() {
  const go = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const { leaveTo, leaving } = await import('./leaving');
  leaveTo('/sandbox-pay/1');
  expect(go).toHaveBeenCalledExactlyOnceWith('/sandbox-pay/1');
  return leaving;
}

it('holds the button while the browser is on its way, and frees it where the visitor stays', async () => {
  const leaving = await left();
  expect(leaving.value).toBe(true);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(leaving.value).toBe(false);
});

it('frees the button when Back brings the page back as it was', async () => {
  const leaving = await left();
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }));
  expect(leaving.value).toBe(true);
  dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(leaving.value).toBe(false);
});
