import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const NOON = Date.parse('2026-11-30T12:00:00Z');

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime(NOON);
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  document.body.innerHTML =
    '<section data-promotion="1"><shop-island><p>Ends <time>noon</time></p></shop-island></section>';
});

async function mounted(endsAt: string): Promise<HTMLElement> {
  const element = document.querySelector('shop-island') as HTMLElement;
  const { default: mount } = await import('.');
  await mount(element, { endsAt });
  return element;
}

it('counts down beside the time it ends at, without announcing each second', async () => {
  const element = await mounted('2026-12-02T14:00:09+00:00');
  const clock = element.querySelector('.countdown');
  expect(clock?.textContent).toBe('02days02hours00min09sec');
  expect([clock?.getAttribute('role'), clock?.getAttribute('aria-live')]).toEqual(['timer', 'off']);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clock?.textContent).toBe('02days02hours00min08sec');
  expect(element.querySelector('time')).not.toBeNull();
});

it('turns the promotion over at zero, without a reload', async () => {
  document.documentElement.lang = 'zh-Hans';
  const element = await mounted('2026-11-30T12:00:02+00:00');
  const promotion = document.querySelector<HTMLElement>('[data-promotion]');
  await vi.advanceTimersByTimeAsync(1999);
  expect(promotion?.dataset.ended).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(promotion?.dataset.ended).toBe('');
  expect(element.querySelector('[role="status"]')?.textContent).toBe('活动已结束。');
});
