import { beforeEach, expect, it, vi } from 'vitest';
import type { Suggestions } from '../api/types';
import { freshBrowser } from '../testing/browser';

const NOTHING: Suggestions = { goods: [], brands: [], categories: [] };
const RICE: Suggestions = {
  goods: [
    { goodsId: 7, goodsName: '香米', goodsEnglishName: 'Jasmine Rice', goodsImgUrl: null, memberPrice: 4.5 },
  ],
  brands: [{ brandId: 2, brandName: '三洋', brandNameEn: 'Rice & Co', brandImgUrl: null }],
  categories: [{ classifyId: 3, classifyPid: 1, classifyName: '米', classifyEnglishName: 'Rice' }],
};

const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
  document.querySelector<E>(selector) as E;
const options = () => [...document.querySelectorAll<HTMLAnchorElement>('[role=option]')];
const field = () => find<HTMLInputElement>('#q');

let asked: { word: string; at: number; signal: AbortSignal }[];
let answers: Record<string, Suggestions>;

async function openPage() {
  document.body.innerHTML =
    '<div id="island"><form class="search" action="/shop"><input id="q" name="word" type="search"><button>Search</button></form></div>';
  const { default: mountSuggest } = await import('.');
  await mountSuggest(find('#island'));
  field().focus();
}

function type(text: string): void {
  field().value = text;
  field().dispatchEvent(new Event('input', { bubbles: true }));
}

function press(key: string): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  field().dispatchEvent(event);
  return event;
}

beforeEach(async () => {
  freshBrowser();
  asked = [];
  answers = { rice: RICE };
  vi.stubGlobal('fetch', (url: string, { signal }: { signal: AbortSignal }) => {
    const word = new URL(url, location.origin).searchParams.get('word') ?? '';
    asked.push({ word, at: Date.now(), signal });
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      const body = { code: 0, msg: '', result: answers[word] ?? NOTHING };
      setTimeout(() => resolve(new Response(JSON.stringify(body))), 50);
    });
  });
  await openPage();
});

it('suggests categories, brands and products with both names and the price', async () => {
  type('rice');
  await vi.advanceTimersByTimeAsync(500);
  expect(options().map((option) => option.getAttribute('href'))).toEqual([
    '/shop?goodsTypeId=3',
    '/shop?brandName=Rice%20%26%20Co',
    '/shop/shopdetails/7',
  ]);
  // The first letter replaces a missing picture.
  expect(options()[2]?.textContent).toBe('JJasmine Rice香米A$4.50');
  expect(find('.suggest small').lang).toBe('zh-Hans');
  expect(field().getAttribute('aria-expanded')).toBe('true');
  expect(find('.announcer').textContent).toBe('3 suggestions, use the arrow keys');
});

it('sends a request after a pause, twice a second at most, and aborts outdated ones', async () => {
  for (const text of ['r', 'ri', 'ric']) {
    type(text);
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(120);
  expect(asked.map(({ word }) => word)).toEqual(['ric']);
  type('rice');
  expect(asked[0]?.signal.aborted).toBe(true);
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked.map(({ word }) => word)).toEqual(['ric', 'rice']);
  expect((asked[1]?.at ?? 0) - (asked[0]?.at ?? 0)).toBeGreaterThanOrEqual(500);
  expect(options()).toHaveLength(3);
});

it('moves through the options with the arrow keys, and opens one with Enter', async () => {
  type('rice');
  await vi.advanceTimersByTimeAsync(500);
  const chosen = () => options().findIndex((option) => option.getAttribute('aria-selected') === 'true');
  const seen = ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp'].map((key) => {
    press(key);
    return chosen();
  });
  expect(seen).toEqual([0, 1, 2, -1, 2]);
  expect(field().getAttribute('aria-activedescendant')).toBe(options()[2]?.id);
  const followed = vi.fn((event: Event) => event.preventDefault());
  options()[2]?.addEventListener('click', followed);
  expect(press('Enter').defaultPrevented).toBe(true);
  expect(followed).toHaveBeenCalledTimes(1);
});

it('submits the form at Enter if nothing is chosen', async () => {
  type('rice');
  await vi.advanceTimersByTimeAsync(500);
  expect(press('Enter').defaultPrevented).toBe(false);
});

it('closes at Escape, keeps the word, and opens again at an arrow key', async () => {
  type('rice');
  await vi.advanceTimersByTimeAsync(500);
  expect(press('Escape').defaultPrevented).toBe(true);
  expect([find('.suggest').hidden, field().value]).toEqual([true, 'rice']);
  expect(press('Escape').defaultPrevented).toBe(false);
  press('ArrowDown');
  expect(find('.suggest').hidden).toBe(false);
});

it('sends no request and handles no key while an input method composes', async () => {
  field().dispatchEvent(new CompositionEvent('compositionstart'));
  type('ri ce');
  await vi.advanceTimersByTimeAsync(1000);
  expect([asked.length, press('ArrowDown').defaultPrevented]).toEqual([0, false]);
  field().value = 'rice';
  field().dispatchEvent(new CompositionEvent('compositionend'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked.map(({ word }) => word)).toEqual(['rice']);
});

it('announces that there are no suggestions', async () => {
  type('zzzz');
  await vi.advanceTimersByTimeAsync(500);
  expect(find('.suggest').hidden).toBe(true);
  expect(find('.announcer').textContent).toBe('No suggestions');
});

it('closes when the focus leaves, and when the word is deleted', async () => {
  type('rice');
  await vi.advanceTimersByTimeAsync(500);
  field().dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: document.body }));
  expect(find('.suggest').hidden).toBe(true);
  press('ArrowDown');
  type('');
  expect([find('.suggest').hidden, options().length]).toEqual([true, 0]);
});

it('offers recent and popular words in an empty field, and forgets the recent ones on request', async () => {
  const words = () => options().map((option) => option.getAttribute('href') ?? option.textContent);
  type('米粉');
  find('form').dispatchEvent(new Event('submit'));
  find('form').dataset.popular = 'rice,火锅';
  document.body.innerHTML = find('#island').outerHTML;
  const { default: mountSuggest } = await import('.');
  field().value = '';
  field().focus();
  await mountSuggest(find('#island'));
  const popular = ['/shop?word=rice', '/shop?word=%E7%81%AB%E9%94%85'];
  expect(words()).toEqual(['/shop?word=%E7%B1%B3%E7%B2%89', 'Clear recent searches', ...popular]);
  options()[1]?.click();
  expect(words()).toEqual(popular);
  expect(localStorage.getItem('shop.searches')).toBeNull();
  expect(asked).toEqual([]);
});
