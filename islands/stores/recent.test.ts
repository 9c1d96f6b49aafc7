import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime('2026-11-26T10:00:00Z');
});

it('remembers the last twenty products, each once, the last one first', async () => {
  const { noteSeen, recentProducts } = await import('./recent');
  expect(recentProducts()).toEqual([]);
  for (let id = 1; id <= 25; id++) noteSeen(id);
  noteSeen(20);
  expect(recentProducts()).toHaveLength(20);
  expect(recentProducts().slice(0, 3)).toEqual([20, 25, 24]);
  expect(recentProducts().at(-1)).toBe(6);
});

it('forgets what was seen more than 30 days ago, all immediately where asked, and at a logout', async () => {
  const { forgetSeen, noteSeen, recentProducts } = await import('./recent');
  noteSeen(1);
  vi.setSystemTime('2026-12-20T10:00:00Z');
  noteSeen(2);
  vi.setSystemTime('2026-12-27T10:00:00Z');
  expect(recentProducts()).toEqual([2]);
  forgetSeen();
  expect(recentProducts()).toEqual([]);
  noteSeen(3);
  const { endSession } = await import('./session');
  endSession();
  expect(recentProducts()).toEqual([]);
});

it('takes what it cannot read for nothing', async () => {
  const { recentProducts } = await import('./recent');
  for (const text of ['nonsense', '7', '{"goodsId":1}', '[{"goodsId":"x"}]']) {
    localStorage.setItem('shop.recent', text);
    expect(recentProducts()).toEqual([]);
  }
});
