import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const product = (id: number, price: string, notice = '') => `
  <div class="detail" data-swap="product">
    <div class="gallery">
      <ul class="gallery__thumbs"><li><a href="#picture-1" aria-current="true" aria-label="Picture 1 of 2">1</a></li><li><a href="#picture-2" aria-label="Picture 2 of 2">2</a></li></ul>
      <div class="gallery__track"><a id="picture-1" href="/media/${id}-1.webp" data-zoom>big</a><a id="picture-2" href="/media/${id}-2.webp" data-zoom>big</a></div>
      <dialog class="zoom" aria-label="Rice"><button data-zoom-by="1">Next</button><output></output></dialog>
    </div>
    <p class="price">${price}</p>
    <a class="spec" data-variant href="/shop/shopdetails/1"${id === 1 ? ' aria-current="page"' : ''}>5 kg</a>
    <a class="spec" data-variant href="/shop/shopdetails/2"${id === 2 ? ' aria-current="page"' : ''}>10 kg</a>
    ${notice}
  </div>`;
const page = (id: number, price: string) =>
  `<html><head><title>Rice ${id}</title></head><body>
  <a hreflang="zh-Hans" href="/zh-hans/shop/shopdetails/${id}">中文</a>
  <shop-island>${product(id, price)}</shop-island><div data-swap="facts">Facts of ${id}</div></body></html>`;
const NOTICE = `<form data-stock-alert="1"><input name="email" type="email" required><p data-error hidden>Error</p>
  <p data-done hidden>Done</p><p data-failed hidden>Failed</p><button>Notify me</button></form>`;

const find = <T extends HTMLElement>(selector: string) => document.querySelector<T>(selector) as T;
const shown = () => ['error', 'done', 'failed'].filter((name) => !find(`[data-${name}]`).hidden);

async function open(html = product(1, 'A$20')): Promise<HTMLElement> {
  document.body.innerHTML = `<a hreflang="zh-Hans" href="/zh-hans/shop/shopdetails/1">中文</a>
    <shop-island>${html}</shop-island><div data-swap="facts">Facts of 1</div>`;
  const root = find('shop-island');
  const { default: mount } = await import('.');
  mount(root);
  return root;
}

function click(selector: string, how: MouseEventInit = {}): MouseEvent {
  const event = new MouseEvent('click', { bubbles: true, cancelable: true, ...how });
  find(selector).dispatchEvent(event);
  return event;
}

function answer(status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(text, { status })),
  );
}

beforeEach(() => {
  vi.unstubAllGlobals();
  freshBrowser();
});

describe('the gallery', () => {
  it('scrolls to a picture at a click on its thumbnail, and does not change the URL', async () => {
    await open();
    const track = find('.gallery__track');
    Object.defineProperty(track, 'clientWidth', { value: 300 });
    const scrollTo = vi.spyOn(track, 'scrollTo').mockImplementation(() => {});
    expect(click('[href="#picture-2"]').defaultPrevented).toBe(true);
    expect(scrollTo).toHaveBeenCalledWith({ left: 300 });
    track.scrollLeft = 290;
    track.dispatchEvent(new Event('scroll'));
    expect(find('[href="#picture-2"]').getAttribute('aria-current')).toBe('true');
    expect(find('[href="#picture-1"]').hasAttribute('aria-current')).toBe(false);
  });

  it('enlarges a picture in a dialog, but not at a click for a new tab', async () => {
    await open();
    const dialog = find<HTMLDialogElement>('dialog');
    dialog.showModal = vi.fn();
    expect(click('[data-zoom]', { ctrlKey: true }).defaultPrevented).toBe(false);
    expect(dialog.showModal).not.toHaveBeenCalled();
    click('[data-zoom]');
    expect(dialog.showModal).toHaveBeenCalledOnce();
    expect(dialog.querySelector('img')?.getAttribute('src')).toContain('/media/1-1.webp');
    click('[data-zoom]');
    expect(dialog.querySelectorAll('img')).toHaveLength(1);
  });

  it('shows the other pictures in the dialog, by its buttons and by the arrow keys', async () => {
    await open();
    const dialog = find<HTMLDialogElement>('dialog');
    dialog.showModal = () => dialog.setAttribute('open', '');
    const shown = () => [dialog.querySelector('img')?.src.slice(-10), find('output').textContent];
    const press = (key: string) => dialog.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    click('[data-zoom]');
    expect(shown()).toEqual(['a/1-1.webp', 'Picture 1 of 2']);
    click('[data-zoom-by]');
    expect(shown()[1]).toBe('Picture 2 of 2');
    press('ArrowRight');
    expect(shown()[1]).toBe('Picture 1 of 2');
    press('ArrowLeft');
    expect(shown()).toEqual(['a/1-2.webp', 'Picture 2 of 2']);
  });
});

describe('the variants', () => {
  it('show price, facts, title and language link of the chosen one', async () => {
    await open();
    answer(200, page(2, 'A$37'));
    click('[href="/shop/shopdetails/2"]');
    await vi.waitFor(() => expect(find('.price').textContent).toBe('A$37'));
    expect(find('[data-swap="facts"]').textContent).toBe('Facts of 2');
    expect(document.title).toBe('Rice 2');
    expect(find('[hreflang]').getAttribute('href')).toBe('/zh-hans/shop/shopdetails/2');
    expect(location.pathname).toBe('/shop/shopdetails/2');
    expect(document.activeElement).toBe(find('.spec[aria-current]'));
  });

  it("open the chosen one's page if it cannot be fetched", async () => {
    await open();
    answer(500, 'broken');
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
    click('[href="/shop/shopdetails/2"]');
    await vi.waitFor(() => expect(assign).toHaveBeenCalled());
    expect(find('.price').textContent).toBe('A$20');
  });
});

describe('a move in the history', () => {
  it('shows the product of the URL, and leaves the page alone while that is the same', async () => {
    await open();
    answer(200, page(2, 'A$37'));
    click('[href="/shop/shopdetails/2"]');
    await vi.waitFor(() => expect(location.pathname).toBe('/shop/shopdetails/2'));
    expect(fetch).toHaveBeenCalledOnce();
    location.hash = '#details';
    dispatchEvent(new PopStateEvent('popstate'));
    expect(fetch).toHaveBeenCalledOnce();

    answer(200, page(1, 'A$20'));
    history.replaceState(null, '', '/shop/shopdetails/1');
    dispatchEvent(new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(find('.price').textContent).toBe('A$20'));
    dispatchEvent(new PopStateEvent('popstate'));
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('ends the request for a variant, whose URL is not shown then', async () => {
    history.replaceState(null, '', '/shop/shopdetails/1');
    await open();
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string, { signal }: RequestInit) => {
      asked.push(new URL(url).pathname);
      if (asked.length > 1) return Promise.resolve(new Response(page(1, 'A$20')));
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    click('[href="/shop/shopdetails/2"]');
    dispatchEvent(new PopStateEvent('popstate'));
    await vi.waitFor(() => expect(document.title).toBe('Rice 1'));
    expect(asked).toEqual(['/shop/shopdetails/2', '/shop/shopdetails/1']);
    expect(location.pathname).toBe('/shop/shopdetails/1');
  });
});

describe('the stock alert form', () => {
  const submit = async (email: string) => {
    find<HTMLInputElement>('input').value = email;
    find('form').dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
    await vi.advanceTimersByTimeAsync(0);
  };

  it('asks for an alert and confirms it', async () => {
    await open(product(1, 'A$20', NOTICE));
    answer(200, { code: 0, msg: '', result: 1 });
    await submit(' mei@example.com ');
    const [url, sent] = vi.mocked(fetch).mock.calls[0] ?? [];
    expect(url).toBe('/api/v1/pc/stockNotice');
    expect(JSON.parse(String(sent?.body))).toEqual({ goodsId: 1, email: 'mei@example.com' });
    expect(shown()).toEqual(['done']);
  });

  it('sends no request for an invalid address', async () => {
    await open(product(1, 'A$20', NOTICE));
    answer(200, { code: 0, msg: '', result: 1 });
    await submit('mei');
    expect(fetch).not.toHaveBeenCalled();
    expect(shown()).toEqual(['error']);
    expect(find('input').getAttribute('aria-invalid')).toBe('true');
  });

  it('shows an error when the shop refuses', async () => {
    await open(product(1, 'A$20', NOTICE));
    answer(429, { code: 1, msg: '', result: null, reason: 'too_frequent' });
    await submit('mei@example.com');
    expect(shown()).toEqual(['failed']);
  });
});

describe('the estimate of the freight', () => {
  const ESTIMATE = '<div data-estimate="1"><p><span data-freight>Later</span></p></div>';
  const freight = () => find('[data-freight]').textContent;
  const PREVIEW = { orderAmount: 20, payAmount: 25.9, freight: 5.9, missingForFree: 59 };

  it('asks nothing while no place is known', async () => {
    answer(200, { code: 0, msg: '', result: PREVIEW });
    vi.useFakeTimers();
    await open(product(1, 'A$20', ESTIMATE));
    await vi.advanceTimersByTimeAsync(1000);
    vi.useRealTimers();
    expect(fetch).not.toHaveBeenCalled();
    expect(freight()).toBe('Later');
  });

  it('shows what sending it alone costs, and what is missing until nothing does', async () => {
    localStorage.setItem(
      'shared.place',
      JSON.stringify({ country: 'Australia', cityName: [], city: '6000' }),
    );
    const days = [{ storage: 'ambient', daysFrom: 2, daysTo: 4 }];
    answer(200, { code: 0, msg: '', result: { ...PREVIEW, window: null, parcels: days, pickup: null } });
    const when = '<form data-buy></form><p data-arrives></p><span data-pickup></span>';
    await open(product(1, 'A$20', ESTIMATE + when));
    await vi.waitFor(() => expect(freight()).not.toBe('Later'), 3000);
    expect(find('[data-arrives]').textContent).toBe('Arrives 2–4 working days after payment');
    expect(freight()).toBe('A$5.90 if ordered on its own; free if you spend A$59.00 more.');
    answer(500, 'broken');
    document.dispatchEvent(new Event('shop:place'));
    await vi.waitFor(() => expect(freight()).toBe('Later'), 3000);
  });
});
