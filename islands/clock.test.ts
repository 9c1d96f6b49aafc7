import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser } from './testing/browser';

const NOON = Date.parse('2026-11-30T12:00:00Z');
const days = 9;
const hours = 21;

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime(NOON);
});

function answerWith(date: string | null): void {
  const headers = date === null ? undefined : { date };
  vi.stubGlobal('fetch', vi.fn().mockResolvedValue(new Response('{}', { headers })));
}

describe('the clock', () => {
  it("follows the server's time", async () => {
    answerWith('Mon, 30 Nov 2026 11:30:00 GMT');
    const clock = await import('./clock');
    await clock.syncClock();
    expect(clock.serverNow()).toBe(NOON - 30 * 60_000 + 500);
  });

  it("follows the browser's time if the server gives none or cannot be reached", async () => {
    answerWith(null);
    const clock = await import('./clock');
    await clock.syncClock();
    expect(clock.serverNow()).toBe(NOON);
  });

  it('splits the time left into units, and gives null at the end', async () => {
    const { countDown } = await import('./clock');
    const show = vi.fn();
    const left = (days * 24 + hours) * 3_600_000 + 5 * 60_000 + 7_000;
    for (const time of [left, 1, 0]) countDown(NOON + time, show);
    expect(show.mock.calls).toEqual([
      [{ days, hours, minutes: 5, seconds: 7 }],
      [{ days: 0, hours: 0, minutes: 0, seconds: 1 }],
      [null],
    ]);
  });

  it('ticks each second and ends exactly on time', async () => {
    const { countDown } = await import('./clock');
    const shown: (number | undefined)[] = [];
    countDown(NOON + 2300, (left) => shown.push(left?.seconds));
    await vi.advanceTimersByTimeAsync(2299);
    expect(shown).toEqual([3, 2, 1]);
    await vi.advanceTimersByTimeAsync(1);
    expect(shown).toEqual([3, 2, 1, undefined]);
  });
});
