import { createInstance, type i18n } from 'i18next';
import type { ShopError } from '../api/errors';
import { lang } from '../lang';
import type en from './en.json';
import errors from './errors.json';

type Flat<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : Flat<T[K], `${Prefix}${K}.`>;
}[keyof T & string];
type WithoutPlural<K extends string> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K;

/** Every key of the catalogue; plural forms by their stem. */
export type TextKey = WithoutPlural<Flat<typeof en>>;

let texts: i18n | undefined;
let loading: Promise<void> | undefined;

/** Loads the page's language once; `t` works from then on. */
export function loadTexts(): Promise<void> {
  loading ??= (async () => {
    const language = lang();
    const catalogue = await (language === 'zh' ? import('./zh.json') : import('./en.json'));
    const instance = createInstance();
    await instance.init({
      lng: language,
      resources: { [language]: { translation: catalogue.default } },
      // React and textContent escape by themselves.
      interpolation: { escapeValue: false },
    });
    texts = instance;
  })();
  return loading;
}

/** Gives the text of a key in the page's language. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  if (!texts) throw new Error('Texts are read before loadTexts()');
  return texts.t(key, values);
}

type Catalogue = Record<string, { code: number; zh: string; en: string }>;

const byKey = errors as Catalogue;
const keyByChinese = new Map(Object.entries(byKey).map(([key, row]) => [row.zh, key]));

/** Gives the text of a key of the server's error catalogue; undefined when it has no such key (CONTRACT 6). */
export function catalogueText(key: string): string | undefined {
  return byKey[key]?.[lang()];
}

/** Tells in the page's language what went wrong; a server text nobody knows is shown unchanged (SPEC 8). */
export function errorText(error: unknown): string {
  const { reason = '', msg = '', fields } = error as Partial<ShopError>;
  // The one promotion that an order could name runs no longer.
  if (fields?.actionTypeId) return t('promotion.ended');
  if (reason === 'network') return t('errors.network');
  return catalogueText(reason) ?? catalogueText(keyByChinese.get(msg) ?? '') ?? (msg || t('errors.unknown'));
}
