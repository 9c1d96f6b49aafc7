import type { Slot } from '../api/types';
import { lang } from '../lang';

const WRITTEN = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2})$/;

/** Writes the day of a slot for reading; the text unchanged when it is not dd/MM/yyyy HH:mm. */
export function slotDay(terminalDateTime: string): string {
  const [, day, month, year] = WRITTEN.exec(terminalDateTime) ?? [];
  if (!day || !month || !year) return terminalDateTime;
  // The wall clock of the shop, whatever zone the browser is in: a date in UTC shown in UTC.
  return new Intl.DateTimeFormat(lang() === 'zh' ? 'zh-CN' : 'en-AU', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(Date.UTC(Number(year), Number(month) - 1, Number(day)));
}

/** Gives the time of day of a slot. */
export const slotTime = (terminalDateTime: string): string =>
  WRITTEN.exec(terminalDateTime)?.[4] ?? terminalDateTime;

/** Puts slots of one day together, days and slots in the order they came. */
export function byDay(slots: readonly Slot[]): [day: string, slots: Slot[]][] {
  const days = new Map<string, Slot[]>();
  for (const slot of slots) {
    const day = slotDay(slot.terminalDateTime);
    days.set(day, [...(days.get(day) ?? []), slot]);
  }
  return [...days];
}
