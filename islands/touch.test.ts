import { beforeEach, expect, it, vi } from 'vitest';
import { whenTouched } from './touch';

beforeEach(() => {
  document.body.innerHTML =
    '<main><a href="#a">A</a><form><button>Send</button></form></main><button id="b">B</button>';
});

function setUp(selector?: string) {
  let finish = () => {};
  const loading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const load = vi.fn(() => loading);
  const root = document.querySelector('main') as HTMLElement;
  whenTouched(root, load, selector);
  return { root, load, finish };
}

it('loads at the first touch inside, and once', () => {
  const { root, load } = setUp();
  document.querySelector<HTMLElement>('#b')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(load).not.toHaveBeenCalled();
  root.querySelector('a')?.dispatchEvent(new Event('focusin', { bubbles: true }));
  root.querySelector('a')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(load).toHaveBeenCalledTimes(1);
});

it('loads only at a touch of what matches the selector', () => {
  const { root, load } = setUp('form');
  root.querySelector('a')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(load).not.toHaveBeenCalled();
  root.querySelector('button')?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(load).toHaveBeenCalledTimes(1);
});

it('holds clicks during loading, then repeats one', async () => {
  const { root, finish } = setUp();
  const clicked = vi.fn((event: Event) => event.preventDefault());
  const link = root.querySelector('a') as HTMLElement;
  link.addEventListener('click', clicked);
  link.click();
  link.click();
  expect(clicked).not.toHaveBeenCalled();
  expect(link.getAttribute('aria-busy')).toBe('true');
  finish();
  await vi.waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
  expect(link.hasAttribute('aria-busy')).toBe(false);
  link.click();
  expect(clicked).toHaveBeenCalledTimes(2);
});

it('repeats the click when loading fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const root = document.querySelector('main') as HTMLElement;
  whenTouched(root, () => Promise.reject(new Error('offline')));
  const clicked = vi.fn();
  const link = root.querySelector('a') as HTMLElement;
  link.addEventListener('click', clicked);
  link.click();
  await vi.waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
});

it('calls onLost instead when loading fails, and loads again at the next touch', async () => {
  const root = document.querySelector('main') as HTMLElement;
  const load = vi.fn((): Promise<void> => Promise.reject(new Error('offline')));
  const onLost = vi.fn();
  whenTouched(root, load, undefined, onLost);
  const clicked = vi.fn();
  const link = root.querySelector('a') as HTMLElement;
  link.addEventListener('click', clicked);
  link.dispatchEvent(new Event('pointerover', { bubbles: true }));
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  await Promise.resolve();
  expect(onLost).not.toHaveBeenCalled();
  link.click();
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(1));
  load.mockImplementation(() => Promise.resolve());
  link.click();
  await vi.waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
  expect([load.mock.calls.length, onLost.mock.calls.length]).toEqual([3, 1]);
});

it('does not hold a click for a new tab', () => {
  const { root } = setUp();
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey: true });
  root.querySelector('a')?.dispatchEvent(event);
  expect(event.defaultPrevented).toBe(false);
});

it('does what was clicked without a network once there is one', async () => {
  const load = vi.fn(async () => {}).mockRejectedValueOnce(new TypeError('Failed to fetch'));
  const root = document.querySelector('main') as HTMLElement;
  const onLost = vi.fn();
  whenTouched(root, load, undefined, onLost);
  const clicked = vi.fn((event: Event) => event.preventDefault());
  const link = root.querySelector('a') as HTMLElement;
  link.addEventListener('click', clicked);
  link.click();
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(1));
  expect(clicked).not.toHaveBeenCalled();
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(clicked).toHaveBeenCalledTimes(1));
  window.dispatchEvent(new Event('online'));
  expect(load).toHaveBeenCalledTimes(2);
});
