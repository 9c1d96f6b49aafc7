import { paint } from '../badge';
import { noteSeen } from '../stores/recent';

/*
 * Shows another variant without leaving the page: fetches its page and takes over the elements
 * marked with data-swap, so that price, stock, picture and facts are always the server's.
 */

let latest: AbortController | null = null;
let shown = pathOf(location);

function pathOf(url: URL | Location): string {
  return url.pathname + url.search;
}

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
  noteSeen(Number(document.querySelector<HTMLElement>('[data-favourite]')?.dataset.favourite));
}

/** Shows the variant at `url`, and shows whether it does; if that fails the browser goes there. */
async function showVariant(url: string): Promise<boolean> {
  shown = pathOf(new URL(url));
  const detail = document.querySelector('.detail');
  detail?.setAttribute('aria-busy', 'true');
  try {
    takeOver(await fetchPage(url));
    return true;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') location.assign(url);
    return false;
  }
}

/** Shows a link's variant, keeps the focus and adds a history entry. */
export async function choose(link: HTMLAnchorElement): Promise<void> {
  const url = link.href;
  if (!(await showVariant(url)) || url === location.href) return;
  history.pushState(null, '', url);
  document.querySelector<HTMLElement>('.spec[aria-current]')?.focus();
}

/** Shows the variant of the page's URL after Back or Forward, but for a move within the page, such as to "#details". */
export async function showCurrent(): Promise<void> {
  if (pathOf(location) !== shown) await showVariant(location.href);
}
