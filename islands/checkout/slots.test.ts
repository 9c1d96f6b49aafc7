import { afterEach, describe, expect, it } from 'vitest';
import { byDay } from './days';
import { slotDay, slotPeriod, slotTime } from './slots';

describe('slots', () => {
  afterEach(() => {
    document.documentElement.lang = '';
  });

  it("reads the shop's local time as day, month, year", () => {
    expect(slotDay('02/11/2026 10:00')).toMatch(/Monday,? 2 November/);
    expect(slotDay('02/11/2026 10:00', { day: 'numeric', month: 'short' })).toBe('2 Nov');
    expect(slotTime('02/11/2026 10:00')).toBe('10:00');
    expect(slotPeriod('02/11/2026 10:00', '02/11/2026 12:30')).toBe('10:00–12:30');
    expect(slotPeriod('02/11/2026 10:00', '')).toBe('10:00');
  });

  it('writes the day in Chinese on a Chinese page', () => {
    document.documentElement.lang = 'zh-Hans';
    expect(slotDay('02/11/2026 10:00')).toContain('11月2日');
  });

  it('shows a text of another form unchanged', () => {
    expect(slotDay('tomorrow')).toBe('tomorrow');
    expect(slotTime('tomorrow')).toBe('tomorrow');
  });

  it('groups slots by day and keeps their order', () => {
    const slots = ['02/11/2026 10:00', '02/11/2026 11:00', '03/11/2026 09:00'].map((start) => ({ start }));
    const groups = byDay(slots);
    expect(groups.map(([, slots]) => slots.length)).toEqual([2, 1]);
  });
});
