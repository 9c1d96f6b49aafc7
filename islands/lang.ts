export type Lang = 'en' | 'zh';

/** Gives the page's language. */
export function lang(): Lang {
  return document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';
}

/** Gives a path's URL in the page's language: Chinese pages are below /zh-hans. */
export function pageUrl(path: string): string {
  return lang() === 'zh' ? `/zh-hans${path}` : path;
}

export function productUrl(goodsId: number): string {
  return pageUrl(`/shop/shopdetails/${goodsId}`);
}

/** Gives the login page's URL; after login the customer comes back to `target`. */
export function loginUrl(target = location.pathname + location.search + location.hash): string {
  return `${pageUrl('/home/login')}?redirect=${encodeURIComponent(target)}`;
}

/** Gives the name in the page's language and the other one, which may be empty. */
export function bothNames(zh: string, en: string): { name: string; other: string; otherLang: string } {
  return lang() === 'zh'
    ? { name: zh || en, other: en, otherLang: 'en' }
    : { name: en || zh, other: zh, otherLang: 'zh-Hans' };
}
