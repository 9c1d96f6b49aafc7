/** Which list the page shows, and which part of it, as the URL's query has them; list 0 is the default list. */
export interface Listing {
  list: number;
  page: number;
}

function number(text: string | null, least: number): number {
  const value = Number(text ?? least);
  return Number.isSafeInteger(value) && value >= least ? value : least;
}

/** Reads a listing from the URL's query; what is no number falls back to the first page of the default list. */
export function readListing(query: string): Listing {
  const params = new URLSearchParams(query);
  return { list: number(params.get('list'), 0), page: number(params.get('page'), 1) };
}

/** Writes a listing as the query of a link. */
export function listingQuery({ list, page }: Listing): string {
  const params = new URLSearchParams();
  if (list) params.set('list', String(list));
  if (page > 1) params.set('page', String(page));
  return `?${params}`;
}
