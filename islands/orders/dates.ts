import { lang } from '../lang';

const AUSTRALIAN = 'en-AU';

function formatter(locale: string, style: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  // The shop's zone, wherever the reader is; base.html names it.
  const { timeZone } = document.documentElement.dataset;
  return new Intl.DateTimeFormat(locale, { ...style, timeZone });
}

function write(iso: string, style: Intl.DateTimeFormatOptions): string {
  return formatter(lang() === 'zh' ? 'zh-CN' : AUSTRALIAN, style).format(new Date(iso));
}

/** Names the zone of the shop at a time as its pages do in both languages; in Chinese Intl has no name. */
function zoneName(iso: string): string {
  const parts = formatter(AUSTRALIAN, { timeZoneName: 'short' }).formatToParts(new Date(iso));
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Writes the day of an ISO time, as it is at the shop. */
export function formatDay(iso: string): string {
  return write(iso, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Writes day and time of an ISO time, as they are at the shop, and the zone. */
export function formatTime(iso: string): string {
  const time = write(iso, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return `${time} ${zoneName(iso)}`;
}
