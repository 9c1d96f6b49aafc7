import { paintBadge } from './badge';
import texts from './i18n/loader.json';
import { lang } from './lang';
import { whenNear } from './near';
import { registry } from './registry';
import { readShared } from './stores/storage';
import { beginsVisit, hasUnsaved } from './stores/visit';
import { whenTouched, whenUsed } from './touch';

type Moment = 'load' | 'idle' | 'visible' | 'use' | 'touch';

function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 2000 });
    else setTimeout(resolve, 200);
  });
}

/** Shows an error with a retry button in an island that could not be loaded. */
function offerRetry(element: HTMLElement): void {
  const { failed, retry } = texts[lang()];
  const line = document.createElement('p');
  line.className = 'notice notice--danger';
  line.setAttribute('role', 'alert');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'link';
  button.textContent = retry;
  // A failed module import stays failed for the life of the document.
  button.onclick = () => location.reload();
  line.append(failed, ' ', button);
  element.prepend(line);
}

/**
 * Shows a toast about the lost network for 5 s, and that what was tapped is kept, without the module for toasts, which cannot be loaded either.
 *
 * See docs/product.md#failures.
 */
function showOffline(): void {
  document.querySelector('.toasts--lost')?.remove();
  const region = document.createElement('div');
  region.className = 'toasts toasts--lost';
  region.setAttribute('role', 'alert');
  const line = document.createElement('div');
  line.className = 'toast toast--error';
  const { network, kept } = texts[lang()];
  line.textContent = navigator.onLine ? network : `${network} ${kept}`;
  region.append(line);
  document.body.append(region);
  setTimeout(() => region.remove(), 5000);
}

async function mount(element: HTMLElement, load: () => Promise<unknown>): Promise<void> {
  try {
    await load();
  } catch (error) {
    console.error(error);
    offerRetry(element);
  }
}

function start(element: HTMLElement): void {
  const name = element.getAttribute('name') ?? '';
  const moment = (element.getAttribute('hydrate') ?? 'visible') as Moment;
  const load = async () => {
    const island = registry[name];
    if (!island) throw new Error(`No island is called ${name}`);
    const props = JSON.parse(element.getAttribute('props') || '{}') as never;
    await (await island()).default(element, props);
    element.dataset.ready = '';
  };
  if (moment === 'touch') whenTouched(element, load, element.getAttribute('on') ?? undefined);
  else {
    const due = {
      load: () => Promise.resolve(),
      idle: whenIdle,
      // The island's element has no box (display: contents); its skeleton has one.
      visible: () => whenNear(element.children.length ? element.children : [element], '200px'),
      use: whenUsed,
    };
    void due[moment]().then(() => mount(element, load));
  }
}

for (const element of document.querySelectorAll<HTMLElement>('shop-island')) start(element);
paintBadge();
whenTouched(document.body, async () => (await import('./language-switch')).keepChosen(), 'a[hreflang]');

const language = readShared<string>(localStorage, 'language');
// A visitor who has chosen no language yet. The server sends the same page to all.
if (!language && lang() === 'en' && navigator.language.startsWith('zh'))
  void whenIdle()
    .then(() => import('./language-switch'))
    .then(({ offerChinese }) => offerChinese(), console.warn);
let hasTyped = false;
addEventListener(
  'input',
  () => {
    hasTyped = true;
  },
  { once: true },
);
// A page that was left where it was scrolled to goes there before the reader touches it.
void (history.state?.scroll ? Promise.resolve() : whenUsed())
  .then(() => import('./reader'))
  .then(({ begin }) => begin(language, hasTyped), console.warn);

whenTouched(
  document.body,
  async () => (await import('./quick-add')).default(),
  '.card__add button, [data-buy]',
  showOffline,
);
whenTouched(
  document.body,
  async () => (await import('./favourite')).default(),
  '[data-favourite], [data-lists]',
  showOffline,
);
whenTouched(document.body, async () => (await import('./place')).default(), '[data-ask-place]', showOffline);
whenTouched(
  document.body,
  async () => (await import('./fragments')).default(),
  '[data-sizes], [data-categories]',
);
document.addEventListener('shop:login-invalid', async (event) => {
  const { detail } = event as CustomEvent<string | null>;
  await (await import('./login-invalid')).loginInvalid(detail);
});

/** Loads what is due of a customer's things once the page is there: nothing for a guest, or later in a visit. */
async function startUp(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((loaded) => addEventListener('load', loaded));
  await whenIdle();
  if (beginsVisit()) await (await import('./stores/start-up')).startUp();
  else if (hasUnsaved()) await import('./stores/carts');
}

startUp().catch(console.warn);
if (readShared(sessionStorage, 'farewell'))
  void import('./farewell').then(({ sayFarewell }) => sayFarewell(), console.warn);
const path = () => location.pathname + location.search;
const loaded = path();
window.addEventListener('popstate', () => {
  // Back from a reloaded page loads nothing if an island made the entry, and that island may not be loaded yet.
  const isHandled = document.querySelector('[name=list][data-ready], [name=product][data-ready]');
  if (path() !== loaded && !isHandled) location.reload();
});
// Browsers offer it on secure origins only.
// The shop works without it; where the network has just gone, the next page registers it.
if ('serviceWorker' in navigator)
  whenIdle()
    .then(() => navigator.serviceWorker.register('/sw.js'))
    .catch(console.warn);
