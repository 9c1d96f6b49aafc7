import { afterEach, describe, expect, it } from 'vitest';
import { byDay, slotDay, slotPeriod, slotTime } from './slots';

describe('slots', () => {
  afterEach(() => {
    document.documentElement.lang = '';
  });

  it("reads the shop's local time as day, month, year", () => {
    expect(slotDay('02/11/2026 10:00')).toMatch(/Monday,? 2 November/);
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
    const starts = ['02/11/2026 10:00', '02/11/2026 11:00', '03/11/2026 09:00'];
    const groups = byDay(starts, (start) => start);
    expect(groups.map(([, slots]) => slots.length)).toEqual([2, 1]);
  });
});
