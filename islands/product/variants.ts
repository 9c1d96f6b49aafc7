import { paint } from '../badge';

/*
 * Shows another variant without leaving the page: fetches its page and takes over the elements
 * marked with data-swap, so that price, stock, picture and facts are always the server's.
 */

let latest: AbortController | null = null;

async function fetchPage(url: string): Promise<Document> {
  latest?.abort();
  latest = new AbortController();
  const response = await fetch(url, { signal: latest.signal });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return new DOMParser().parseFromString(await response.text(), 'text/html');
}

function takeOver(page: Document): void {
  document.title = page.title;
  for (const part of document.querySelectorAll<HTMLElement>('[data-swap]')) {
    const next = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (next) part.replaceWith(document.adoptNode(next));
  }
  // The links to the other language and the canonical link belong to the new product.
  const links = 'a[hreflang], link[rel="alternate"][hreflang], link[rel="canonical"]';
  const theirs = page.querySelectorAll(links);
  for (const [index, link] of document.querySelectorAll(links).entries()) {
    const href = theirs[index]?.getAttribute('href');
    if (href) link.setAttribute('href', href);
  }
  paint();
}

/** Shows the variant at `url`; if that fails the browser goes there. */
export async function showVariant(url: string): Promise<void> {
  const detail = document.querySelector('.detail');
  detail?.setAttribute('aria-busy', 'true');
  try {
    takeOver(await fetchPage(url));
  } catch (error) {
    if ((error as Error).name === 'AbortError') return;
    location.assign(url);
  }
}

/** Shows a link's variant, keeps the focus and adds a history entry. */
export async function choose(link: HTMLAnchorElement): Promise<void> {
  const url = link.href;
  await showVariant(url);
  if (url === location.href) return;
  history.pushState(null, '', url);
  document.querySelector<HTMLElement>('.spec[aria-current]')?.focus();
}
