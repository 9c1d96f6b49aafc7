/*
 * Updates the list of products without a reload: for a filter, a category, a sort order or a page it fetches the page that works
 * without script, and replaces the contents of the elements marked with data-swap.
 *   [data-swap="name"]     an element that changes with the list, anywhere in the page
 *   [data-facet="name"]    a <details> of the filters; stays open or closed
 *   [data-range]           which products are shown; announced if their number stays the same
 */
import { paint } from '../badge';
import { scrollOf, storeScroll } from '../scroll';
import { announce } from '../ui/announce';
import { type Focus, focusOf, restoreFocus, typing } from './focus';

const PARTS = '[data-swap]';
/** For Back without a request. */
const MAX_CACHED_PAGES = 10;

const path = (url: URL | Location) => url.pathname + url.search;

/** Makes the URL of a form's choices, without empty ones. */
function urlOf(form: HTMLFormElement): URL {
  const url = new URL(form.action);
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim()) url.searchParams.append(name, value.trim());
  }
  return url;
}

function openFacets(): Map<string | undefined, boolean> {
  const facets = document.querySelectorAll<HTMLDetailsElement>('details[data-facet]');
  return new Map([...facets].map((facet) => [facet.dataset.facet, facet.open]));
}

/** Replaces the parts that a fetched page has too, its title, links and search word. */
function swap(page: Document): void {
  const open = openFacets();
  for (const part of document.querySelectorAll<HTMLElement>(PARTS)) {
    const fresh = page.querySelector(`[data-swap="${part.dataset.swap}"]`);
    if (fresh && fresh.innerHTML !== part.innerHTML) {
      part.replaceChildren(...[...fresh.childNodes].map((node) => document.importNode(node, true)));
    }
  }
  for (const facet of document.querySelectorAll<HTMLDetailsElement>('details[data-facet]')) {
    facet.open = open.get(facet.dataset.facet) ?? facet.open;
  }
  document.title = page.title;
  const links = 'link[rel=canonical], link[rel=alternate]';
  const fresh = page.querySelectorAll<HTMLLinkElement>(links);
  for (const [index, link] of document.querySelectorAll<HTMLLinkElement>(links).entries()) {
    link.href = fresh[index]?.href ?? link.href;
  }
  const search = document.querySelector<HTMLInputElement>('#q');
  if (search) search.value = page.querySelector<HTMLInputElement>('#q')?.value ?? '';
  paint();
}

/** Mounts the list inside its element. */
export default function mountList(element: HTMLElement): void {
  const list = element.querySelector<HTMLElement>('.list');
  const form = element.querySelector<HTMLFormElement>('form.facets');
  if (!list) return;
  const cachedPages = new Map<string, string>();
  let shown = path(location);
  let loading: AbortController | undefined;

  async function fetchPage(url: URL, signal: AbortSignal): Promise<string> {
    const response = await fetch(url, { headers: { Accept: 'text/html' }, signal });
    if (!response.ok) throw new Error(`${response.status} ${url}`);
    return response.text();
  }

  function cache(url: URL, html: string): void {
    cachedPages.delete(path(url));
    cachedPages.set(path(url), html);
    for (const [oldest] of cachedPages) if (cachedPages.size > MAX_CACHED_PAGES) cachedPages.delete(oldest);
  }

  function take(html: string, focus: Focus | null): void {
    const total = () => document.querySelector('[data-swap="total"]')?.textContent;
    const before = total();
    const now = typing() ?? focus;
    swap(new DOMParser().parseFromString(html, 'text/html'));
    labelButton();
    restoreFocus(now);
    // The number of products is a live region already.
    if (total() === before) announce(document.querySelector('[data-range], .empty h3')?.textContent ?? '');
    list?.removeAttribute('aria-busy');
  }

  /** Labels the form's button with the result: choices apply as they are made. */
  function labelButton(): void {
    const button = form?.querySelector<HTMLElement>('[data-live]');
    if (button) button.textContent = button.dataset.live ?? '';
    form?.setAttribute('data-ready', '');
  }

  /** Shows the list of a URL; `arrive` writes the history before the page changes. */
  async function show(url: URL, focus: Focus | null, arrive?: () => void): Promise<boolean> {
    loading?.abort();
    const mine = new AbortController();
    loading = mine;
    list?.setAttribute('aria-busy', 'true');
    try {
      const html = (arrive ? undefined : cachedPages.get(path(url))) ?? (await fetchPage(url, mine.signal));
      cache(url, html);
      arrive?.();
      shown = path(url);
      take(html, focus);
      return true;
    } catch (error) {
      if ((error as Error).name === 'AbortError') return false;
      list?.removeAttribute('aria-busy');
      // The choices of the products that are still shown.
      form?.reset();
      const [{ showError }, { ensureToastRegion }, { ShopError }] = await Promise.all([
        import('../ui/toast'),
        import('../ui/toast-region'),
        import('../api/errors'),
      ]);
      await ensureToastRegion();
      showError(new ShopError({ code: -1, status: 0, reason: 'network' }));
      return false;
    }
  }

  const isSheet = () => location.hash === '#filters';

  function go(url: URL, focus: Focus | null): Promise<boolean> {
    // The open sheet has its own history entry, which its changes replace, so that Back closes the sheet.
    if (isSheet()) return show(url, focus, () => history.replaceState(null, '', `${path(url)}#filters`));
    return show(url, focus, () => {
      storeScroll();
      history.pushState(null, '', path(url));
    });
  }

  async function closeSheet(url: URL): Promise<void> {
    if (path(url) !== shown && !(await go(url, null))) return;
    // Only going to another fragment clears the sheet's :target.
    location.replace('#products');
    history.replaceState(null, '', shown);
    document.querySelector<HTMLElement>('#products')?.focus({ preventScroll: true });
  }

  function apply(url: URL, focus: Focus | null): void {
    if (path(url) !== shown) void go(url, focus);
  }

  function listen(filters: HTMLFormElement): void {
    filters.addEventListener('change', (event) => {
      if (filters.reportValidity()) apply(urlOf(filters), focusOf(event.target as HTMLElement));
    });
    // A field that was filled in during an update fires no change event.
    filters.addEventListener('focusout', (event) => {
      const field = event.target as HTMLInputElement;
      const isNew = field.type === 'number' && field.value !== field.defaultValue && field.validity.valid;
      if (isNew) apply(urlOf(filters), null);
    });
    filters.addEventListener('submit', (event) => {
      event.preventDefault();
      if (isSheet()) void closeSheet(urlOf(filters));
      else apply(urlOf(filters), focusOf(document.activeElement as HTMLElement));
    });
  }

  list.addEventListener('click', (event) => {
    const request = (event.target as Element).closest<HTMLButtonElement>('[data-stock-request]');
    if (request) void import('./stock-request').then(({ requestProduct }) => requestProduct(request));
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.defaultPrevented) return;
    const url = new URL(link.href);
    if (url.hash === '#products' && isSheet()) {
      event.preventDefault();
      void closeSheet(new URL(shown, location.origin));
      return;
    }
    if (url.origin !== location.origin || url.pathname !== location.pathname || url.hash) return;
    event.preventDefault();
    if (path(url) === shown) return;
    const isPage = Boolean(link.closest('.pager, .groups'));
    const focus = focusOf(link);
    void go(url, focus).then((changed) => {
      if (changed && isPage) document.querySelector('.list__head')?.scrollIntoView();
    });
  });
  window.addEventListener('popstate', () => {
    // The browser handles a change of the fragment alone.
    if (path(location) === shown) return;
    const top = scrollOf(history.state);
    void show(new URL(location.href), null).then((changed) => changed && scrollTo({ top }));
  });
  if (form) listen(form);
  labelButton();
}
