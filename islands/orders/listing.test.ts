import { describe, expect, it } from 'vitest';
import { dayBefore, listingQuery, pagerNumbers, readListing } from './listing';

const ALL = { status: '', word: '', from: '', to: '', page: 1 } as const;

describe('readListing', () => {
  it('reads status, word, period and page', () => {
    expect(readListing('?status=unpaid&word=%20rice&from=2026-01-31&to=2026-02-28&page=3')).toEqual({
      status: 'unpaid',
      word: 'rice',
      from: '2026-01-31',
      to: '2026-02-28',
      page: 3,
    });
  });

  it.each([
    '',
    '?status=stolen&page=0',
    '?page=-1',
    '?page=1.5',
    '?page=x',
    '?page=1e99',
    '?from=2026-02-30&to=2026-13-01',
    '?from=1999-01-01&to=yesterday',
    '?from=2026-1-1&to=%00',
  ])('falls back to the first page of all for %j', (query) => {
    expect(readListing(query)).toEqual(ALL);
  });

  it('takes a period whose days are mixed up', () => {
    expect(readListing('?from=2026-02-01&to=2026-01-01')).toEqual({
      ...ALL,
      from: '2026-01-01',
      to: '2026-02-01',
    });
  });

  it('reads what listingQuery writes', () => {
    const listing = {
      status: 'paid',
      word: '香米 & 茶',
      from: '2026-01-01',
      to: '2026-01-02',
      page: 2,
    } as const;
    expect(readListing(listingQuery(listing))).toEqual(listing);
    expect(listingQuery(ALL)).toBe('?');
  });
});

describe('dayBefore', () => {
  it('counts days at the shop', () => {
    document.documentElement.dataset.timeZone = 'Australia/Perth';
    const evening = Date.parse('2026-05-31T17:00:00Z');
    expect([0, 1, 365].map((days) => dayBefore(days, evening))).toEqual([
      '2026-06-01',
      '2026-05-31',
      '2025-06-01',
    ]);
    delete document.documentElement.dataset.timeZone;
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
