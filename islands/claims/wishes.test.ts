import { beforeEach, describe, expect, it } from 'vitest';
import { loadTexts, loadTextsOf } from '../i18n';
import { freshBrowser } from '../testing/browser';
import { type Entry, type Line, linesOf, problemsOf } from './wishes';

const line = (goodsId: number, left: number, actionTypeId: number | null = null): Line =>
  ({ goodsId, actionTypeId, left, goodsAmount: left }) as Line;
const RICE = line(1, 3);
const SALE = line(1, 2, 7);
const LINES = [RICE, SALE];

beforeEach(async () => {
  freshBrowser();
  await Promise.all([loadTexts(), loadTextsOf('claims')]);
});

describe('problemsOf', () => {
  it.each<[string, Record<string, Entry>, string[]]>([
    ['nothing is entered', {}, ['units-1-0']],
    ['only a kind is chosen', { '1-7': { units: '', kind: 'damaged' } }, ['units-1-7']],
    ['only units are entered', { '1-0': { units: '2', kind: '' } }, ['kind-1-0']],
    ['there are too many', { '1-0': { units: '4', kind: 'missing' } }, ['units-1-0']],
    ['it is no whole number', { '1-7': { units: '1.5', kind: 'wrong' } }, ['units-1-7']],
    ['it is below zero', { '1-7': { units: '-1', kind: 'wrong' } }, ['units-1-7']],
    [
      'Leave empty if nothing is wrong',
      { '1-0': { units: '3', kind: 'wrong' }, '1-7': { units: '0', kind: '' } },
      [],
    ],
  ])('names the controls where %s', (_, entries, ids) => {
    expect(problemsOf(LINES, entries).map(({ id }) => id)).toEqual(ids);
  });
});

describe('a single unit', () => {
  const ONE = line(2, 1);

  it('is claimed by choosing what is wrong with it', () => {
    expect(problemsOf([ONE], {}).map(({ id }) => id)).toEqual(['kind-2-0']);
    const entries: Record<string, Entry> = { '2-0': { units: '', kind: 'missing' } };
    expect(problemsOf([ONE], entries)).toEqual([]);
    expect(linesOf([ONE], entries)).toEqual([
      { goodsId: 2, actionTypeId: null, goodsAmount: 1, kind: 'missing' },
    ]);
  });
});

describe('linesOf', () => {
  it('writes the lines of which something is claimed', () => {
    const entries: Record<string, Entry> = {
      '1-0': { units: '', kind: '' },
      '1-7': { units: '2', kind: 'damaged' },
    };
    expect(linesOf(LINES, entries)).toEqual([
      { goodsId: 1, actionTypeId: 7, goodsAmount: 2, kind: 'damaged' },
    ]);
  });
});
