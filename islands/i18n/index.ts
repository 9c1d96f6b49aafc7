import { createInstance, type i18n } from 'i18next';
import type { ShopError } from '../api/errors';
import { bothNames, lang } from '../lang';
import type ofAccount from './account.en.json';
import type ofAddress from './address.en.json';
import type ofCaptcha from './captcha.en.json';
import type ofCart from './cart.en.json';
import type ofClaims from './claims.en.json';
import type en from './en.json';
import type ofFavourites from './favourites.en.json';
import type ofInstructions from './instructions.en.json';
import type ofLogin from './login.en.json';
import type ofOrderSearch from './order-search.en.json';
import type ofOrders from './orders.en.json';
import type ofPin from './pin.en.json';
import type ofPlace from './place.en.json';
import type ofPoints from './points.en.json';
import type ofPrivacy from './privacy.en.json';
import type ofResult from './result.en.json';
import type ofSecurity from './security.en.json';
import type ofSession from './session.en.json';
import type ofSuggest from './suggest.en.json';
import type ofTransfer from './transfer.en.json';
import type ofWallet from './wallet.en.json';
import type ofWishes from './wishes.en.json';

type Flat<T, Prefix extends string = ''> = {
  [K in keyof T & string]: T[K] extends string ? `${Prefix}${K}` : Flat<T[K], `${Prefix}${K}.`>;
}[keyof T & string];
type WithoutPlural<K extends string> = K extends `${infer Stem}_${'one' | 'other'}` ? Stem : K;

/** Every key of the catalogues; plural forms by their stem. */
export type TextKey = WithoutPlural<
  | Flat<typeof en>
  | Flat<typeof ofAccount>
  | Flat<typeof ofAddress>
  | Flat<typeof ofCaptcha>
  | Flat<typeof ofCart>
  | Flat<typeof ofFavourites>
  | Flat<typeof ofClaims>
  | Flat<typeof ofInstructions>
  | Flat<typeof ofLogin>
  | Flat<typeof ofOrderSearch>
  | Flat<typeof ofOrders>
  | Flat<typeof ofPlace>
  | Flat<typeof ofPoints>
  | Flat<typeof ofPin>
  | Flat<typeof ofPrivacy>
  | Flat<typeof ofResult>
  | Flat<typeof ofSecurity>
  | Flat<typeof ofSession>
  | Flat<typeof ofSuggest>
  | Flat<typeof ofTransfer>
  | Flat<typeof ofWallet>
  | Flat<typeof ofWishes>
>;

let texts: i18n | undefined;
let loading: Promise<void> | undefined;

/** Loads the page's language once; `t` works from then on. */
export function loadTexts(): Promise<void> {
  loading ??= (async () => {
    const language = lang();
    const [catalogue] = await Promise.all(
      language === 'zh'
        ? [import('./zh.json'), loadChineseErrors()]
        : [import('./en.json'), loadEnglishErrors()],
    );
    const instance = createInstance();
    await instance.init({
      lng: language,
      resources: { [language]: { translation: catalogue.default } },
      // React and textContent escape already.
      interpolation: { escapeValue: false },
    });
    texts = instance;
  })();
  return loading;
}

/** The texts that only some pages have, by their name. */
const PARTS = {
  account: () => (lang() === 'zh' ? import('./account.zh.json') : import('./account.en.json')),
  address: () => (lang() === 'zh' ? import('./address.zh.json') : import('./address.en.json')),
  captcha: () => (lang() === 'zh' ? import('./captcha.zh.json') : import('./captcha.en.json')),
  cart: () => (lang() === 'zh' ? import('./cart.zh.json') : import('./cart.en.json')),
  favourites: () => (lang() === 'zh' ? import('./favourites.zh.json') : import('./favourites.en.json')),
  claims: () => (lang() === 'zh' ? import('./claims.zh.json') : import('./claims.en.json')),
  instructions: () => (lang() === 'zh' ? import('./instructions.zh.json') : import('./instructions.en.json')),
  login: () => (lang() === 'zh' ? import('./login.zh.json') : import('./login.en.json')),
  orders: () => (lang() === 'zh' ? import('./orders.zh.json') : import('./orders.en.json')),
  'order-search': () =>
    lang() === 'zh' ? import('./order-search.zh.json') : import('./order-search.en.json'),
  place: () => (lang() === 'zh' ? import('./place.zh.json') : import('./place.en.json')),
  points: () => (lang() === 'zh' ? import('./points.zh.json') : import('./points.en.json')),
  pin: () => (lang() === 'zh' ? import('./pin.zh.json') : import('./pin.en.json')),
  privacy: () => (lang() === 'zh' ? import('./privacy.zh.json') : import('./privacy.en.json')),
  result: () => (lang() === 'zh' ? import('./result.zh.json') : import('./result.en.json')),
  security: () => (lang() === 'zh' ? import('./security.zh.json') : import('./security.en.json')),
  session: () => (lang() === 'zh' ? import('./session.zh.json') : import('./session.en.json')),
  suggest: () => (lang() === 'zh' ? import('./suggest.zh.json') : import('./suggest.en.json')),
  transfer: () => (lang() === 'zh' ? import('./transfer.zh.json') : import('./transfer.en.json')),
  wallet: () => (lang() === 'zh' ? import('./wallet.zh.json') : import('./wallet.en.json')),
  wishes: () => (lang() === 'zh' ? import('./wishes.zh.json') : import('./wishes.en.json')),
};

/** Loads the texts that only some pages have; `t` knows them from then on. */
export async function loadTextsOf(part: keyof typeof PARTS): Promise<void> {
  const [catalogue] = await Promise.all([PARTS[part](), loadTexts()]);
  // A part may add to a group of the texts that every page has.
  texts?.addResourceBundle(lang(), 'translation', catalogue.default, true);
}

/** Gives the text of a key in the page's language. */
export function t(key: TextKey, values: Record<string, string | number> = {}): string {
  if (!texts) throw new Error('Texts are read before loadTexts()');
  return texts.t(key, values);
}

/** The error catalogue in the page's language, by key; on English pages also the keys of the Chinese texts. */
const errorTexts = new Map<string, string>();
const keyByChinese = new Map<string, string>();

async function loadEnglishErrors(): Promise<void> {
  const { errors } = await import('./errors.en.json');
  for (const [key, { zh, en }] of Object.entries<{ zh?: string; en: string }>(errors)) {
    errorTexts.set(key, en);
    if (zh) keyByChinese.set(zh, key);
  }
}

async function loadChineseErrors(): Promise<void> {
  const { errors } = await import('./errors.zh.json');
  for (const [key, text] of Object.entries(errors)) errorTexts.set(key, text);
}

/**
 * Gives the text of a key of the server's error catalogue; undefined when it has no such key.
 *
 * See docs/wire.md#error-catalogue.
 */
export function catalogueText(key: string): string | undefined {
  return errorTexts.get(key);
}

/** The texts of refusals by the islands themselves, or of failed calls. */
const OWN_REASONS: Readonly<Record<string, TextKey>> = {
  network: 'errors.network',
  duplicate: 'errors.duplicate',
  amount_changed: 'checkout.amountChanged',
  delivery_type: 'checkout.deliveryTypeError',
};

/**
 * Gives an error's text in the page's language; an unknown server text is shown unchanged.
 *
 * See docs/product.md#failures.
 */
export function errorText(error: unknown): string {
  const { reason = '', msg = '', fields, why = '', whyEn = '' } = error as Partial<ShopError>;
  // An order names one promotion, and it is refused only once that has ended.
  if (fields?.actionTypeId) return t('promotion.ended');
  const detail = why && bothNames(why, whyEn).name;
  // For a voucher the server names the amount from which it is valid, for a window that it is full, for
  // products which of them are not exported.
  if (detail && (fields?.voucherCode || fields?.deliverySlot || fields?.orderGoods)) return detail;
  // For the pay password's lock it names its end.
  if (detail && reason === 'too_frequent') return detail;
  const own = OWN_REASONS[reason];
  if (own) return t(own);
  if (fields?.deliverySlot || fields?.terminalDateTime) return t('checkout.slotGone');
  const text = catalogueText(reason);
  if (detail && reason === 'stock_insufficient') return `${text} ${detail}`;
  return text ?? catalogueText(keyByChinese.get(msg) ?? '') ?? (msg || t('errors.unknown'));
}
