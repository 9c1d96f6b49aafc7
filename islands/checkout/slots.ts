import { lang } from '../lang';

const WRITTEN = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2})$/;

/** Writes the day of a slot; a text that is not dd/MM/yyyy HH:mm comes back unchanged. */
export function slotDay(terminalDateTime: string, length: 'long' | 'short' = 'long'): string {
  const [, day, month, year] = WRITTEN.exec(terminalDateTime) ?? [];
  if (!day || !month || !year) return terminalDateTime;
  // Parsed and shown in UTC, so that the shop's local time stays whatever the browser's time zone.
  return new Intl.DateTimeFormat(lang() === 'zh' ? 'zh-CN' : 'en-AU', {
    weekday: length,
    day: 'numeric',
    month: length,
    timeZone: 'UTC',
  }).format(Date.UTC(Number(year), Number(month) - 1, Number(day)));
}

/** Gives the time of day of a slot. */
export const slotTime = (terminalDateTime: string): string =>
  WRITTEN.exec(terminalDateTime)?.[4] ?? terminalDateTime;

/** Writes from when to when a slot is; its beginning alone where the end is not known. */
export const slotPeriod = (start: string, end: string): string =>
  [start, end].filter(Boolean).map(slotTime).join('–');

/** Groups slots by the day that `startOf` gives, days and slots in their given order. */
export function byDay<T>(slots: readonly T[], startOf: (slot: T) => string): [day: string, slots: T[]][] {
  const days = new Map<string, T[]>();
  for (const slot of slots) {
    const day = slotDay(startOf(slot));
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  return [...days];
}
