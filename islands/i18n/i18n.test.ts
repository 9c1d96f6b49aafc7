import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';
import accountEn from './account.en.json';
import accountZh from './account.zh.json';
import addressEn from './address.en.json';
import addressZh from './address.zh.json';
import cartEn from './cart.en.json';
import cartZh from './cart.zh.json';
import everywhereEn from './en.json';
import { errors } from './errors.en.json';
import favouritesEn from './favourites.en.json';
import favouritesZh from './favourites.zh.json';
import instructionsEn from './instructions.en.json';
import instructionsZh from './instructions.zh.json';
import loginEn from './login.en.json';
import loginZh from './login.zh.json';
import ordersEn from './orders.en.json';
import ordersZh from './orders.zh.json';
import pinEn from './pin.en.json';
import pinZh from './pin.zh.json';
import privacyEn from './privacy.en.json';
import privacyZh from './privacy.zh.json';
import resultEn from './result.en.json';
import resultZh from './result.zh.json';
import suggestEn from './suggest.en.json';
import suggestZh from './suggest.zh.json';
import transferEn from './transfer.en.json';
import transferZh from './transfer.zh.json';
import walletEn from './wallet.en.json';
import walletZh from './wallet.zh.json';
import wishesEn from './wishes.en.json';
import wishesZh from './wishes.zh.json';
import everywhereZh from './zh.json';

type Tree = { [key: string]: string | Tree };

const partsEn = {
  ...accountEn,
  ...favouritesEn,
  ...cartEn,
  ...instructionsEn,
  ...suggestEn,
  ...privacyEn,
  ...resultEn,
  ...transferEn,
  ...walletEn,
  ...wishesEn,
  ...loginEn,
  ...ordersEn,
};
const partsZh = {
  ...accountZh,
  ...favouritesZh,
  ...cartZh,
  ...instructionsZh,
  ...suggestZh,
  ...privacyZh,
  ...resultZh,
  ...transferZh,
  ...walletZh,
  ...wishesZh,
  ...loginZh,
  ...ordersZh,
};
// Those of the address form, the cart and the pay password are added to the few that every page has.
const en = {
  ...everywhereEn,
  ...partsEn,
  address: { ...everywhereEn.address, ...addressEn.address },
  cart: { ...everywhereEn.cart, ...cartEn.cart },
  freight: { ...everywhereEn.freight, ...cartEn.freight },
  promotion: { ...everywhereEn.promotion, ...cartEn.promotion },
  pay: { ...everywhereEn.pay, ...pinEn.pay },
};
const zh = {
  ...everywhereZh,
  ...partsZh,
  address: { ...everywhereZh.address, ...addressZh.address },
  cart: { ...everywhereZh.cart, ...cartZh.cart },
  freight: { ...everywhereZh.freight, ...cartZh.freight },
  promotion: { ...everywhereZh.promotion, ...cartZh.promotion },
  pay: { ...everywhereZh.pay, ...pinZh.pay },
};

function texts(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [[prefix + key, value] as [string, string]]
      : texts(value, `${prefix}${key}.`),
  );
}

const stem = (key: string) => key.replace(/_(one|other)$/, '');
const stems = (tree: Tree) => [...new Set(texts(tree).map(([key]) => stem(key)))].sort();
const holes = (text: string) => [...text.matchAll(/{{(\w+)}}/g)].map(([, name]) => name).sort();

it('has every text in both languages, with the same placeholders', () => {
  expect(stems(zh)).toEqual(stems(en));
  const chinese = new Map(texts(zh).map(([key, text]) => [stem(key), holes(text)]));
  for (const [key, text] of texts(en)) expect([key, holes(text)]).toEqual([key, chinese.get(stem(key))]);
});

it('has no empty text and no Chinese in English texts', () => {
  for (const [key, text] of [...texts(en), ...texts(zh)]) expect([key, text.trim()]).not.toEqual([key, '']);
  for (const [key, text] of texts(en)) expect([key, /\p{Script=Han}/u.test(text)]).toEqual([key, false]);
});

it('has only texts that an island uses', () => {
  const sources = readdirSync('islands', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => readFileSync(`islands/${file}`, 'utf8'))
    .join('\n');
  const isUsed = (key: string) =>
    sources.includes(`'${key}'`) || sources.includes(`\`${key.replace(/\.\w+$/, '.')}\${`);
  expect(stems(en).filter((key) => !isUsed(key))).toEqual([]);
});

it.each([
  ['en-AU', 'Wrong password', 'Check out 1 item', 'Check out 2 items'],
  ['zh-Hans', '密码错误', '结算 1 件商品', '结算 2 件商品'],
])('loads the texts of %s', async (language, wrong, one, two) => {
  freshBrowser();
  document.documentElement.lang = language;
  const { errorText, loadTextsOf, t } = await import('.');
  await loadTextsOf('cart');
  expect(errorText({ reason: 'password_wrong', msg: errors.password_wrong.zh })).toBe(wrong);
  expect([t('cart.checkOut', { count: 1 }), t('cart.checkOut', { count: 2 })]).toEqual([one, two]);
});

it.each([
  ['en-AU', 'Valid from $50.00; $12.40 is missing.'],
  ['zh-Hans', '满 $50.00 可用，还差 $12.40。'],
])('says in %s from which amount a voucher is valid', async (language, text) => {
  freshBrowser();
  document.documentElement.lang = language;
  const { errorText, loadTexts } = await import('.');
  await loadTexts();
  const reason = 'voucher_amount_short';
  const short = { reason, msg: errors[reason].zh, fields: { voucherCode: reason } };
  const why = { why: '满 $50.00 可用，还差 $12.40。', whyEn: 'Valid from $50.00; $12.40 is missing.' };
  expect(errorText({ ...short, ...why })).toBe(text);
  expect(errorText(short)).toBe(errors[reason][language === 'zh-Hans' ? 'zh' : 'en']);
});

beforeEach(() => void vi.resetModules());
