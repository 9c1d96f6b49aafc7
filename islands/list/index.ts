/*
 * Changes the goods list without a reload: a filter, a way to sort or a page is fetched as the page that its address
 * has without script, and the parts the template marks with data-swap take its contents.
 *   [data-swap="name"]     a part that follows the list, anywhere in the page
 *   [data-facet="name"]    a <details> of the filters; stays as open as the reader left it
 *   [data-range]           which goods are shown, told where the number of goods stays the same
 */
import { paint } from '../badge';
import { announce } from '../ui/announce';
import { type Focus, focusOf, restoreFocus, typing } from './focus';
import { keepScroll, scrollOf } from './scroll';

const PARTS = '[data-swap]';
/** Pages kept, so that Back shows at once what was there. */
const KEPT = 10;

const path = (url: URL | Location) => url.pathname + url.search;

/** Makes the address of a form's choices, without what is left empty. */
function addressOf(form: HTMLFormElement): URL {
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

/** Takes over the parts of a fetched page, and what is told about it outside of the list. */
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
  for (const [place, link] of document.querySelectorAll<HTMLLinkElement>(links).entries()) {
    link.href = fresh[place]?.href ?? link.href;
  }
  const search = document.querySelector<HTMLInputElement>('#q');
  if (search) search.value = page.querySelector<HTMLInputElement>('#q')?.value ?? '';
  paint();
}

/** Takes over the list inside its element. */
export default function mountList(element: HTMLElement): void {
  const list = element.querySelector<HTMLElement>('.list');
  const form = element.querySelector<HTMLFormElement>('form.facets');
  if (!list || !form) return;
  const kept = new Map<string, string>();
  let shown = path(location);
  let loading: AbortController | undefined;

  async function fetchPage(url: URL, signal: AbortSignal): Promise<string> {
    const response = await fetch(url, { headers: { Accept: 'text/html' }, signal });
    if (!response.ok) throw new Error(`${response.status} ${url}`);
    return response.text();
  }

  function keep(url: URL, html: string): void {
    kept.delete(path(url));
    kept.set(path(url), html);
    for (const [oldest] of kept) if (kept.size > KEPT) kept.delete(oldest);
  }

  function take(html: string, focus: Focus | null): void {
    const total = () => document.querySelector('[data-swap="total"]')?.textContent;
    const before = total();
    const now = typing() ?? focus;
    swap(new DOMParser().parseFromString(html, 'text/html'));
    promise();
    restoreFocus(now);
    // The number of goods is a live region of its own.
    if (total() === before) announce(document.querySelector('[data-range], .empty h3')?.textContent ?? '');
    list?.removeAttribute('aria-busy');
  }

  /** Lets the form's button say what it leads to: choices are followed as they are made. */
  function promise(): void {
    const button = form?.querySelector<HTMLElement>('[data-live]');
    if (button) button.textContent = button.dataset.live ?? '';
    form?.setAttribute('data-ready', '');
  }

  /** Shows an address's list; `arrive` writes it into the history before the parts change. */
  async function show(url: URL, focus: Focus | null, arrive?: () => void): Promise<boolean> {
    loading?.abort();
    const mine = new AbortController();
    loading = mine;
    list?.setAttribute('aria-busy', 'true');
    try {
      const html = (arrive ? undefined : kept.get(path(url))) ?? (await fetchPage(url, mine.signal));
      keep(url, html);
      arrive?.();
      shown = path(url);
      take(html, focus);
      return true;
    } catch (error) {
      if ((error as Error).name === 'AbortError') return false;
      list?.removeAttribute('aria-busy');
      // Back to the choices that the goods in view go with.
      form?.reset();
      const [{ showError }, { ensureToastRegion }, { ShopError }] = await Promise.all([
        import('../stores/toast'),
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
    // The open sheet is an entry of its own: its changes take its place, so that Back leads out of it.
    if (isSheet()) return show(url, focus, () => history.replaceState(null, '', `${path(url)}#filters`));
    return show(url, focus, () => {
      keepScroll();
      history.pushState(null, '', path(url));
    });
  }

  async function closeSheet(url: URL): Promise<void> {
    if (path(url) !== shown && !(await go(url, null))) return;
    // Only a move to another fragment makes the sheet no longer the target.
    location.replace('#goods');
    history.replaceState(null, '', shown);
    document.querySelector<HTMLElement>('#goods')?.focus({ preventScroll: true });
  }

  function apply(focus: Focus | null): void {
    const url = addressOf(form as HTMLFormElement);
    if (path(url) !== shown) void go(url, focus);
  }

  form.addEventListener('change', (event) => {
    if (form.reportValidity()) apply(focusOf(event.target as HTMLElement));
  });
  // A field that was filled in while the list changed around it never says that it has changed.
  form.addEventListener('focusout', (event) => {
    const field = event.target as HTMLInputElement;
    if (field.type === 'number' && field.value !== field.defaultValue && field.validity.valid) apply(null);
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (isSheet()) void closeSheet(addressOf(form));
    else apply(focusOf(document.activeElement as HTMLElement));
  });
  list.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href]');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.defaultPrevented) return;
    const url = new URL(link.href);
    if (url.hash === '#goods' && isSheet()) {
      event.preventDefault();
      void closeSheet(new URL(shown, location.origin));
      return;
    }
    if (url.origin !== location.origin || url.pathname !== location.pathname || url.hash) return;
    event.preventDefault();
    if (path(url) === shown) return;
    const isPage = Boolean(link.closest('.pager'));
    const focus = focusOf(link);
    void go(url, focus).then((changed) => {
      if (changed && isPage) document.querySelector('.list__head')?.scrollIntoView();
    });
  });
  window.addEventListener('popstate', () => {
    // A step to another fragment of the same list is the browser's.
    if (path(location) === shown) return;
    const top = scrollOf(history.state);
    void show(new URL(location.href), null).then((changed) => changed && scrollTo({ top }));
  });
  document.addEventListener('scroll', keepScroll, { passive: true });
  promise();
}
