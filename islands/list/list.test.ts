import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

/** A page of the list as the server renders it: its total, a brand to tick, a price, and pages. */
function html({ total = 9, brand = '', price = '', goods = 'Rice' } = {}): string {
  const checked = brand ? 'checked' : '';
  return `<title>${goods}</title><shop-island name="list"><div class="list">
    <form class="facets" action="/shop" data-swap="filters">
      <details data-facet="brand" open><summary>Brand</summary></details>
      <input type="checkbox" name="brandName" value="Ming" ${checked}>
      <input type="number" name="minPrice" value="${price}"><input type="number" name="maxPrice" value="">
      <button data-live="Show ${total} products">Apply</button>
    </form>
    <p role="status" data-swap="total">${total} products</p>
    <h2 id="products" tabindex="-1">Products</h2>
    <div data-swap="products"><p class="products">${goods}</p><p data-range>1–${total}</p>
      <nav class="pager"><a href="/shop?page=2">2</a></nav><a class="detail" href="/shop/shopdetails/1">Rice</a></div>
  </div></shop-island>`;
}

const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
  document.querySelector<E>(selector) as E;
const settled = () => vi.advanceTimersByTimeAsync(200);

let pages: Record<string, string>;
let asked: string[];

async function openPage() {
  document.body.innerHTML = html();
  const { default: mountList } = await import('.');
  mountList(find('shop-island'));
}

function tick(): void {
  find<HTMLInputElement>('[name=brandName]').click();
}

beforeEach(async () => {
  freshBrowser();
  history.replaceState(null, '', '/shop');
  Element.prototype.scrollIntoView = vi.fn();
  pages = {
    '/shop': html(),
    '/shop?brandName=Ming': html({ total: 3, brand: 'Ming', goods: 'Tea' }),
    '/shop?page=2': html({ goods: 'Last' }),
    '/shop?minPrice=5': html({ total: 4, price: '5', goods: 'Salt' }),
  };
  asked = [];
  vi.stubGlobal('fetch', (url: URL, { signal }: RequestInit) => {
    const path = url.pathname + url.search;
    asked.push(path);
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
      setTimeout(() => {
        if (path in pages) resolve(new Response(pages[path]));
        else reject(new TypeError('offline'));
      }, 100);
    });
  });
  await openPage();
});

it('shows the result of a choice under its own URL, and keeps the focus on the choice', async () => {
  find('details').removeAttribute('open');
  find('[name=brandName]').focus();
  tick();
  expect(find('.list').getAttribute('aria-busy')).toBe('true');
  await settled();
  expect([location.pathname + location.search, document.title]).toEqual(['/shop?brandName=Ming', 'Tea']);
  expect(find('.products').textContent).toBe('Tea');
  expect(find('[role=status]').textContent).toBe('3 products');
  expect(find('button').textContent).toBe('Show 3 products');
  expect(find('details').hasAttribute('open')).toBe(false);
  expect(document.activeElement).toBe(find('[name=brandName]'));
  expect(find('.list').hasAttribute('aria-busy')).toBe(false);
});

it('shows only the latest choice when answers are slow', async () => {
  tick();
  await vi.advanceTimersByTimeAsync(50);
  tick();
  find<HTMLInputElement>('[name=minPrice]').value = '5';
  find('[name=minPrice]').dispatchEvent(new Event('change', { bubbles: true }));
  await settled();
  expect(asked).toEqual(['/shop?brandName=Ming', '/shop?minPrice=5']);
  expect([find('.products').textContent, location.search]).toEqual(['Salt', '?minPrice=5']);
});

it('announces which products a page shows, and moves the focus before them', async () => {
  find('.pager a').focus();
  find('.pager a').click();
  await settled();
  expect(location.search).toBe('?page=2');
  expect(find('.announcer').textContent).toBe('1–9');
  expect(document.activeElement).toBe(find('#products'));
});

it('keeps a price that is being typed while the list changes', async () => {
  tick();
  find('[name=minPrice]').focus();
  find<HTMLInputElement>('[name=minPrice]').value = '5';
  await settled();
  const field = find<HTMLInputElement>('[name=minPrice]');
  expect([document.activeElement === field, field.value]).toEqual([true, '5']);
});

it('shows the former list on Back, without a request', async () => {
  tick();
  await settled();
  const scroll = vi.spyOn(window, 'scrollTo').mockImplementation(() => {});
  find('.pager a').click();
  await settled();
  history.replaceState({ scroll: 70 }, '', '/shop?brandName=Ming');
  window.dispatchEvent(new PopStateEvent('popstate'));
  await settled();
  expect([find('.products').textContent, asked.length]).toEqual(['Tea', 2]);
  expect(scroll).toHaveBeenCalledWith({ top: 70 });
});

it('does not handle other links, nor clicks for a new tab', () => {
  for (const [selector, init] of [
    ['.detail', {}],
    ['.pager a', { ctrlKey: true }],
  ] as const) {
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, ...init });
    document.addEventListener('click', (event) => event.preventDefault(), { once: true });
    let prevented = true;
    document.body.addEventListener('click', (event) => (prevented = event.defaultPrevented), { once: true });
    find(selector).dispatchEvent(click);
    expect(prevented).toBe(false);
  }
  expect(asked).toEqual([]);
});

it('keeps the list and its choices when the network is lost, and shows an error', async () => {
  pages = {};
  tick();
  await settled();
  await vi.waitFor(() => expect(find('.toast--error').textContent).toContain('Network disconnection'));
  expect([find('.products').textContent, location.search]).toEqual(['Rice', '']);
  expect(find<HTMLInputElement>('[name=brandName]').checked).toBe(false);
  expect(find('.list').hasAttribute('aria-busy')).toBe(false);
});

it('asks to stock what was not found, and shows whether the request was sent', async () => {
  const { requestProduct } = await import('./stock-request');
  document.body.innerHTML =
    '<div class="empty"><button data-stock-request="面包">Ask</button><i hidden data-request-done></i><i hidden data-request-failed></i></div>';
  const button = find<HTMLButtonElement>('button');
  const shown = () => ['done', 'failed'].filter((name) => !find(`[data-request-${name}]`).hidden);
  const fetched = vi.fn().mockRejectedValueOnce(new TypeError('offline'));
  fetched.mockImplementation(async () => new Response(JSON.stringify({ code: 0, msg: '', result: 1 })));
  vi.stubGlobal('fetch', fetched);
  await requestProduct(button);
  expect([shown(), button.disabled]).toEqual([['failed'], false]);
  await requestProduct(button);
  expect([shown(), button.disabled]).toEqual([['done'], true]);
  expect(JSON.parse(fetched.mock.lastCall?.[1].body)).toEqual({ word: '面包' });
});
