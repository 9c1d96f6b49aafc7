/* The language that a reader chooses, in this tab or another one (docs/product.md#language). */
import texts from './i18n/language.json';
import { type Lang, lang } from './lang';
import { readShared, writeShared } from './stores/storage';

/** What is stored once the offer of a browser's language was closed. */
const CLOSED = 'language-offer-closed';

let region: HTMLElement | undefined;

/** Gives the URL of this page in a language. */
export function thisPageIn(language: Lang): string {
  // What begins with two slashes would name another host.
  const path = location.pathname.replace(/^\/zh-hans(?=\/|$)/, '').replace(/^\/*/, '/');
  return `${language === 'zh' ? '/zh-hans' : ''}${path}${location.search}${location.hash}`;
}

/** Shows the other tabs which language was chosen in this one. */
export function announceLanguage(language: Lang): void {
  // The time distinguishes it from the same choice before.
  writeShared(localStorage, 'language', `${language} ${Date.now()}`);
}

/** Keeps a language with the customer's account, without holding up the page that opens in it. */
function keep(language: Lang): void {
  const token = localStorage.getItem('token');
  if (!token) return;
  const headers = { token, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ language });
  fetch('/api/v1/pc/setting/profile', { method: 'PUT', headers, body, keepalive: true }).catch(console.warn);
}

/** From now on announces and keeps what is chosen by the links to the languages of a page. */
export function keepChosen(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[hreflang]');
    // What opens next to this page leaves it as it is.
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const language = link.hreflang.startsWith('zh') ? 'zh' : 'en';
    announceLanguage(language);
    keep(language);
  });
}

/**
 * Opens this page in the language that another tab has chosen; offers it where something was typed that would be lost.
 */
export function follow(choice: string, isTyped: boolean): void {
  const language = choice.startsWith('zh') ? 'zh' : 'en';
  region?.remove();
  // A preview of the back office has an address without a language.
  if (language === lang() || location.pathname.startsWith('/admin/')) return;
  if (isTyped) offer(language, texts[language].chosen);
  else location.replace(thisPageIn(language));
}

/** Offers this page in Chinese to a visitor whose browser speaks it, until they close the offer. */
export function offerChinese(): void {
  if (readShared(localStorage, CLOSED) || location.pathname.startsWith('/admin/')) return;
  offer('zh', texts.zh.offered, () => writeShared(localStorage, CLOSED, true));
}

/** Shows the offer of a language; with `onClose` below, as it is less urgent. */
function offer(language: Lang, text: string, onClose?: () => void): void {
  const { open, notNow } = texts[language];
  const line = document.createElement('div');
  line.className = 'toast';
  line.lang = language === 'zh' ? 'zh-Hans' : 'en';
  const link = document.createElement('a');
  link.href = thisPageIn(language);
  // The choice of such a link is stored.
  link.hreflang = line.lang;
  link.textContent = open;
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = notNow;
  line.append(text, link, close);
  const box = document.createElement('div');
  box.className = onClose ? 'toasts' : 'toasts toasts--top';
  box.setAttribute('role', 'status');
  box.append(line);
  close.onclick = () => {
    box.remove();
    onClose?.();
  };
  document.body.append(box);
  region = box;
}
