import { lang } from '../lang';

const WRITTEN = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}:\d{2})$/;

const IN_FULL: Intl.DateTimeFormatOptions = { weekday: 'long', day: 'numeric', month: 'long' };

/** Writes the day of a slot, or the parts of it; a text that is not dd/MM/yyyy HH:mm comes back unchanged. */
export function slotDay(terminalDateTime: string, parts = IN_FULL): string {
  const [, day, month, year] = WRITTEN.exec(terminalDateTime) ?? [];
  if (!day || !month || !year) return terminalDateTime;
  // Parsed and shown in UTC, so that the shop's local time stays whatever the browser's time zone.
  return new Intl.DateTimeFormat(lang() === 'zh' ? 'zh-CN' : 'en-AU', {
    ...parts,
    timeZone: 'UTC',
  }).format(Date.UTC(Number(year), Number(month) - 1, Number(day)));
}

/** Gives the time of day of a slot. */
export const slotTime = (terminalDateTime: string): string =>
  WRITTEN.exec(terminalDateTime)?.[4] ?? terminalDateTime;

/** Writes from when to when a slot is; its beginning alone where the end is not known. */
export const slotPeriod = (start: string, end: string): string =>
  [start, end].filter(Boolean).map(slotTime).join('–');
