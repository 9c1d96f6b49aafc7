import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const { near } = vi.hoisted(() => ({ near: { come: () => {} } }));
vi.mock('../near', () => ({
  whenNear: () =>
    new Promise<void>((resolve) => {
      near.come = resolve;
    }),
}));

const grid = () => document.querySelector('.product-grid') as HTMLElement;
const CARDS = '<article class="card">Rice</article><article class="card">Tea</article>';

async function openPage(): Promise<void> {
  document.body.innerHTML = '<shop-island><div class="product-grid" data-cards></div></shop-island>';
  const { default: mount } = await import('.');
  mount(document.querySelector('shop-island') as HTMLElement, { ids: [7, 9] });
}

beforeEach(freshBrowser);
afterEach(() => vi.unstubAllGlobals());

it('fetches its cards only once the reader comes near', async () => {
  const fetch = vi.fn(async () => new Response(CARDS));
  vi.stubGlobal('fetch', fetch);
  await openPage();
  expect(fetch).not.toHaveBeenCalled();
  near.come();
  await vi.waitFor(() => expect(grid().children).toHaveLength(2));
  expect(fetch).toHaveBeenCalledWith(expect.stringMatching(/\/shop\/cards\?ids=7,9$/));
  expect(grid().hasAttribute('data-cards')).toBe(false);
});

it('fetches again once the network is back', async () => {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response('', { status: 502 })),
  );
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await openPage();
  near.come();
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());
  expect(grid().hasAttribute('data-cards')).toBe(true);
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(CARDS)),
  );
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(grid().children).toHaveLength(2));
});
