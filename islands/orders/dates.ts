import { lang } from '../lang';

const locale = () => (lang() === 'zh' ? 'zh-CN' : 'en-AU');

/** Writes the day of an ISO time. */
export function formatDay(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(new Date(iso));
}

/** Writes day and time of an ISO time. */
export function formatTime(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}
