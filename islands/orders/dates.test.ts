import { afterEach, expect, it } from 'vitest';
import { formatDay, formatTime } from './dates';

const LATE = '2026-11-22T20:30:00Z';

afterEach(() => {
  document.documentElement.lang = '';
  delete document.documentElement.dataset.timeZone;
});

it.each([
  ['en-AU', /^23 Nov 2026$/, /^23 Nov 2026, 04:30 AWST$/],
  ['zh-Hans', /^2026年11月23日$/, /^2026年11月23日 04:30 AWST$/],
])('writes times in the zone of the shop and names it (%s)', (language, day, time) => {
  document.documentElement.lang = language;
  document.documentElement.dataset.timeZone = 'Australia/Perth';
  expect(formatDay(LATE)).toMatch(day);
  expect(formatTime(LATE)).toMatch(time);
});
