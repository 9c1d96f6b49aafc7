import { STATUSES } from './status';

/** The most characters of a search that the server takes. */
export const MAX_WORD = 100;

/** The filter and page of the list of orders, as the URL's query has them. */
export interface Listing {
  status: (typeof STATUSES)[number] | '';
  word: string;
  /** The first and the last day, as 2026-05-31; empty for none. */
  from: string;
  to: string;
  page: number;
}

const DAY = /^20\d\d-\d\d-\d\d$/;

/** Reads a day that the server would take; empty for any other text. */
function readDay(text: string | null): string {
  const day = text ?? '';
  const isDay = DAY.test(day) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  return isDay ? day : '';
}

/** Reads a listing from the URL's query; unknown values fall back to the first page of all. */
export function readListing(query: string): Listing {
  const params = new URLSearchParams(query);
  const page = Number(params.get('page') ?? 1);
  const days = [readDay(params.get('from')), readDay(params.get('to'))];
  // Customers who mix them up mean the same days.
  if (days.every(Boolean)) days.sort();
  return {
    status: STATUSES.find((status) => status === params.get('status')) ?? '',
    word: (params.get('word') ?? '').trim().slice(0, MAX_WORD),
    from: days[0] ?? '',
    to: days[1] ?? '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes a listing as the query of a link. */
export function listingQuery({ status, word, from, to, page }: Partial<Listing>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ status, word, from, to })) if (value) params.set(name, value);
  if (page && page > 1) params.set('page', String(page));
  return `?${params}`;
}

/** Gives the day at the shop so many days ago, as 2026-05-31. */
export function dayBefore(days: number, now = Date.now()): string {
  const { timeZone } = document.documentElement.dataset;
  const at = new Date(now - days * 86_400_000);
  // This language writes days so.
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(at);
}

/** Gives the page numbers of a pager: the first, the last, and those around the current one. */
export function pagerNumbers(current: number, last: number): number[] {
  const near = [1, current - 1, current, current + 1, last];
  return [...new Set(near)].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
}
