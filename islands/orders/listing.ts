import { STATUSES } from './status';

/** The most characters of a search that the server takes. */
export const MAX_WORD = 100;

/** The filter and page of the list of orders, as the URL's query has them. */
interface Listing {
  status: (typeof STATUSES)[number] | '';
  word: string;
  page: number;
}

/** Reads a listing from the URL's query; unknown values fall back to the first page of all. */
export function readListing(query: string): Listing {
  const params = new URLSearchParams(query);
  const page = Number(params.get('page') ?? 1);
  return {
    status: STATUSES.find((status) => status === params.get('status')) ?? '',
    word: (params.get('word') ?? '').trim().slice(0, MAX_WORD),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes a listing as the query of a link. */
export function listingQuery({ status, word, page }: Listing): string {
  const params = new URLSearchParams();
  if (status) params.set('status', status);
  if (word) params.set('word', word);
  if (page > 1) params.set('page', String(page));
  return `?${params}`;
}

/** Gives the page numbers of a pager: the first, the last, and those around the current one. */
export function pagerNumbers(current: number, last: number): number[] {
  const near = [1, current - 1, current, current + 1, last];
  return [...new Set(near)].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
}
