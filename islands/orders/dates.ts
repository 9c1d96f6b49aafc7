import { lang } from '../lang';

function write(iso: string, style: Intl.DateTimeFormatOptions): string {
  // The shop's zone, wherever the reader is; base.html gives it.
  const { timeZone } = document.documentElement.dataset;
  const locale = lang() === 'zh' ? 'zh-CN' : 'en-AU';
  return new Intl.DateTimeFormat(locale, { ...style, timeZone }).format(new Date(iso));
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
  return `${time} ${document.documentElement.dataset.zoneName ?? ''}`.trimEnd();
}
