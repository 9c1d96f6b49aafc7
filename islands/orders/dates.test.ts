import { afterEach, expect, it } from 'vitest';
import { formatDay, formatTime } from './dates';

const LATE = '2026-11-22T20:30:00Z';

afterEach(() => {
  document.documentElement.lang = '';
  delete document.documentElement.dataset.timeZone;
  delete document.documentElement.dataset.zoneName;
});

it.each([
  ['en-AU', 'Perth time', /^23 Nov 2026$/, /^23 Nov 2026, 04:30 Perth time$/],
  ['zh-Hans', '珀斯时间', /^2026年11月23日$/, /^2026年11月23日 04:30 珀斯时间$/],
])('writes times in the zone of the shop and names it (%s)', (language, zone, day, time) => {
  document.documentElement.lang = language;
  document.documentElement.dataset.timeZone = 'Australia/Perth';
  document.documentElement.dataset.zoneName = zone;
  expect(formatDay(LATE)).toMatch(day);
  expect(formatTime(LATE)).toMatch(time);
});
