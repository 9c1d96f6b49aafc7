import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const NOON = Date.parse('2026-11-30T12:00:00Z');

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime(NOON);
  vi.stubGlobal('fetch', vi.fn().mockRejectedValue(new TypeError('offline')));
  document.body.innerHTML =
    '<section data-promotion="1"><shop-island><p>Ends <time>noon</time></p>' +
    `<div class="countdown" aria-hidden="true">${'<span><b>––</b></span>'.repeat(4)}</div></shop-island></section>`;
});

async function mounted(endsAt: string): Promise<HTMLElement> {
  const element = document.querySelector('shop-island') as HTMLElement;
  const { default: mount } = await import('.');
  await mount(element, { endsAt });
  return element;
}

it('counts down next to the time it ends at, without announcing each second', async () => {
  const element = await mounted('2026-12-02T14:00:09+00:00');
  const clock = element.querySelector('.countdown');
  expect(clock?.textContent).toBe('02020009');
  expect([clock?.getAttribute('role'), clock?.hasAttribute('aria-hidden')]).toEqual(['timer', false]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(clock?.textContent).toBe('02020008');
  expect(element.querySelector('time')).not.toBeNull();
});

it('marks the promotion as ended at zero, without a reload', async () => {
  document.documentElement.lang = 'zh-Hans';
  const element = await mounted('2026-11-30T12:00:02+00:00');
  const promotion = document.querySelector<HTMLElement>('[data-promotion]');
  await vi.advanceTimersByTimeAsync(1999);
  expect(promotion?.dataset.ended).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(promotion?.dataset.ended).toBe('');
  expect(element.querySelector('[role="status"]')?.textContent).toBe('活动已结束。');
});
