import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from './testing/browser';
import { FakeShop } from './testing/fake-shop';

const LINKS = '<a hreflang="en-AU" href="#en">English</a><a hreflang="zh-Hans" href="#zh">中文</a><input>';

let shop: FakeShop;
let opened: string[];

beforeEach(() => {
  freshBrowser();
  history.replaceState(null, '', '/');
  shop = new FakeShop([]);
  opened = [];
  vi.spyOn(location, 'replace').mockImplementation((url) => void opened.push(String(url)));
});

async function openPage(language = 'en-AU', hasTyped = false): Promise<void> {
  vi.resetModules();
  document.documentElement.lang = language;
  document.body.innerHTML = LINKS;
  // As the loader does.
  const [{ followLanguage }, { whenTouched }, { readShared }] = await Promise.all([
    import('./language'),
    import('./touch'),
    import('./stores/storage'),
  ]);
  whenTouched(document.body, async () => (await import('./language-switch')).keepChosen(), 'a[hreflang]');
  followLanguage(readShared(localStorage, 'language'), hasTyped);
}

async function choose(
  hreflang: string,
  event = new MouseEvent('click', { bubbles: true, cancelable: true }),
) {
  const link = document.querySelector<HTMLElement>(`a[hreflang=${hreflang}]`);
  link?.dispatchEvent(new Event('pointerover', { bubbles: true }));
  await vi.dynamicImportSettled();
  link?.dispatchEvent(event);
}

/** Stores a choice as another tab does, and lets this one hear of it. */
async function chooseInAnotherTab(language: string, event: Event = new StorageEvent('storage')) {
  vi.advanceTimersByTime(1000);
  localStorage.setItem('shared.language', JSON.stringify(`${language} ${Date.now()}`));
  await hear(event);
}

async function hear(event: Event) {
  window.dispatchEvent(event);
  await vi.dynamicImportSettled();
}

const offer = () => document.querySelector('.toasts')?.textContent;

it('offers Chinese to a browser in Chinese until the offer is closed', async () => {
  await openPage();
  const { offerChinese } = await import('./language-switch');
  offerChinese();
  expect(offer()).toBe('本店有中文版。用中文显示此页暂不');
  expect(document.querySelector<HTMLAnchorElement>('.toast a')?.pathname).toBe('/zh-hans/');
  document.querySelector<HTMLElement>('.toast button')?.click();
  expect(offer()).toBeUndefined();
  offerChinese();
  expect(offer()).toBeUndefined();
});

it('keeps the language of a link with the account, and shows the other tabs', async () => {
  logInAs('mei@example.com');
  await openPage();
  await choose('zh-Hans');
  expect(shop.requests).toMatchObject([
    { method: 'PUT', path: '/pc/setting/profile', body: { language: 'zh' } },
  ]);
  expect(shop.requests[0]?.headers.token).toBe('token-of-mei@example.com');
  expect(JSON.parse(localStorage.getItem('shared.language') ?? '')).toMatch(/^zh \d+$/);
});

it('asks nothing of the server for a guest, and nothing at all for what opens in another tab', async () => {
  await openPage();
  await choose('zh-Hans', new MouseEvent('click', { bubbles: true, ctrlKey: true }));
  expect(localStorage.getItem('shared.language')).toBeNull();
  await choose('zh-Hans');
  expect(localStorage.getItem('shared.language')).not.toBeNull();
  expect(shop.requests).toEqual([]);
});

it.each(['storage', 'pageshow', 'focus', 'visibilitychange'])(
  'opens the same page in the language that another tab has chosen, by %s',
  async (type) => {
    history.replaceState(null, '', '/shop?word=tea#list');
    await openPage();
    await chooseInAnotherTab('zh', new Event(type));
    expect(opened).toEqual(['/zh-hans/shop?word=tea#list']);
  },
);

it('opens the English page from a Chinese one', async () => {
  history.replaceState(null, '', '/zh-hans/home/cart');
  await openPage('zh-Hans');
  await chooseInAnotherTab('en');
  expect(opened).toEqual(['/home/cart']);
});

it('never takes a path with two slashes at its beginning for another host', async () => {
  history.replaceState(null, '', '/zh-hans//elsewhere.example/page');
  await openPage('zh-Hans');
  await chooseInAnotherTab('en');
  expect(opened).toEqual(['/elsewhere.example/page']);
});

it('leaves a preview of the back office as it is', async () => {
  history.replaceState(null, '', '/admin/pages/4/edit/preview/');
  await openPage();
  await chooseInAnotherTab('zh');
  expect(opened).toEqual([]);
});

it('follows only once it is seen', async () => {
  await openPage();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await chooseInAnotherTab('zh');
  expect(opened).toEqual([]);
  hidden.mockReturnValue(false);
  await hear(new Event('visibilitychange'));
  expect(opened).toHaveLength(1);
});

it('offers the language where something was typed before this was loaded', async () => {
  await openPage('en-AU', true);
  await chooseInAnotherTab('zh');
  expect(opened).toEqual([]);
  expect(offer()).toContain('用中文显示此页');
});

it('offers the language where something was typed, and takes the offer back', async () => {
  await openPage();
  document.querySelector('input')?.dispatchEvent(new Event('input', { bubbles: true }));
  await chooseInAnotherTab('zh');
  expect(opened).toEqual([]);
  expect(offer()).toContain('用中文显示此页');
  await chooseInAnotherTab('en');
  expect(offer()).toBeUndefined();
  await chooseInAnotherTab('zh');
  document.querySelector<HTMLElement>('.toasts--top button')?.click();
  expect(offer()).toBeUndefined();
  await hear(new Event('focus'));
  expect(offer()).toBeUndefined();
});

it('leaves a page in its language that was opened after the choice, or that Back shows as it was left', async () => {
  localStorage.setItem('shared.language', '"zh 1"');
  await openPage();
  await hear(new Event('focus'));
  expect(opened).toEqual([]);
  await choose('zh-Hans');
  window.dispatchEvent(new Event('pagehide'));
  await hear(Object.assign(new Event('pageshow'), { persisted: true }));
  expect(opened).toEqual([]);
});
