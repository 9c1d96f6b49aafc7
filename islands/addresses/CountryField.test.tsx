import { readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const input = () => document.querySelector('#country') as HTMLInputElement;
const options = () => [...document.querySelectorAll<HTMLElement>('[role=option]')];
const names = () => options().map((option) => option.textContent);
const status = () => document.querySelector('[role=status]')?.textContent;
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));
/** The option that the input names as the active one. */
const active = () =>
  document.getElementById(input().getAttribute('aria-activedescendant') ?? '')?.textContent;

async function type(text: string) {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input(), text);
  input().dispatchEvent(new Event('input', { bubbles: true }));
  await settled();
}

async function press(key: string, options: KeyboardEventInit = {}) {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  input().dispatchEvent(event);
  await settled();
  return event.defaultPrevented;
}

let onChange: (country: string) => void;

beforeEach(async () => {
  freshBrowser();
  vi.useRealTimers();
  vi.stubGlobal('fetch', async (path: string) => new Response(readFileSync(path.slice(1), 'utf8')));
  await (await import('../i18n')).loadTextsOf('place');
  const { mountComponent } = await import('../ui/mount');
  const { CountryField } = await import('./CountryField');
  const element = document.createElement('div');
  document.body.append(element);
  onChange = vi.fn();
  await mountComponent(element, CountryField, { id: 'country', value: 'China', onChange });
  await (await import('./regions')).loadCountries();
  await settled();
  input().focus();
});

it('opens with all countries, the featured ones first, at the chosen one', async () => {
  expect([input().value, input().getAttribute('aria-expanded'), names()]).toEqual(['China', 'false', []]);
  expect(await press('ArrowDown')).toBe(true);
  expect(input().getAttribute('aria-expanded')).toBe('true');
  const featured = ['Australia', 'China', 'Hong Kong', 'Japan', 'Malaysia', 'New Zealand', 'Taiwan', 'USA'];
  expect(names().slice(0, 9)).toEqual([...featured, 'Afghanistan']);
  expect([active(), options()[0]?.getAttribute('aria-setsize')]).toEqual(['China', '245']);
  await press('ArrowUp');
  await press('ArrowUp');
  expect(active()).toBe('Zimbabwe');
  await press('ArrowUp', { altKey: true });
  expect([names(), input().value]).toEqual([[], 'China']);
});

it('finds while something is typed, shows how many, and chooses the first unless another is', async () => {
  await type('malai');
  expect([names(), active(), status()]).toEqual([['Malaysia'], 'Malaysia', '1 country or region found']);
  expect(await press('Enter')).toBe(true);
  expect(onChange).toHaveBeenLastCalledWith('Malaysia');
  await type('au');
  await press('ArrowDown');
  expect(active()).toBe('Austria');
  await press('Enter');
  expect(onChange).toHaveBeenLastCalledWith('Austria');
  await type('new zea');
  input().blur();
  await settled();
  expect(onChange).toHaveBeenLastCalledWith('New Zealand');
  await type('jap');
  options()[0]?.click();
  await settled();
  expect(onChange).toHaveBeenLastCalledWith('Japan');
});

it('puts the chosen country back after Escape, nonsense or nothing', async () => {
  await type('jap');
  expect(await press('Escape')).toBe(true);
  expect([input().value, names()]).toEqual(['China', []]);
  await type('zzzz');
  expect([names(), status()]).toEqual([[], '0 countries or regions found']);
  expect(await press('Enter')).toBe(true);
  input().blur();
  await settled();
  expect(input().value).toBe('China');
  input().focus();
  await type('');
  input().blur();
  await settled();
  expect([input().value, vi.mocked(onChange).mock.calls]).toEqual(['China', []]);
});

it('leaves Enter to the form while the list is closed', async () => {
  expect(await press('Enter')).toBe(false);
  expect(await press('Escape')).toBe(false);
});
