import { describe, expect, it } from 'vitest';
import { listingQuery, pagerNumbers, readListing } from './listing';

describe('readListing', () => {
  it('reads status, word and page', () => {
    expect(readListing('?status=unpaid&word=%20rice&page=3')).toEqual({
      status: 'unpaid',
      word: 'rice',
      page: 3,
    });
  });

  it.each(['', '?status=stolen&page=0', '?page=-1', '?page=1.5', '?page=x', '?page=1e99'])(
    'falls back to the first page of all for %j',
    (query) => {
      expect(readListing(query)).toEqual({ status: '', word: '', page: 1 });
    },
  );

  it('reads what listingQuery writes', () => {
    const listing = { status: 'paid', word: '香米 & 茶', page: 2 } as const;
    expect(readListing(listingQuery(listing))).toEqual(listing);
    expect(listingQuery({ status: '', word: '', page: 1 })).toBe('?');
  });
});

describe('pagerNumbers', () => {
  it('shows the first, the last and the neighbouring pages, each once', () => {
    expect(pagerNumbers(1, 1)).toEqual([1]);
    expect(pagerNumbers(1, 3)).toEqual([1, 2, 3]);
    expect(pagerNumbers(5, 9)).toEqual([1, 4, 5, 6, 9]);
    expect(pagerNumbers(99, 9)).toEqual([1, 9]);
  });
});
