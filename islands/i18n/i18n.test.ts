import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';
import { errors } from './errors.en.json';

type Tree = { [key: string]: string | Tree };

/** Adds texts to others; some files add to a group of the few that every page has. */
function add(tree: Tree, more: Tree): Tree {
  for (const [key, value] of Object.entries(more)) {
    const there = tree[key];
    if (there === undefined) tree[key] = value;
    else if (typeof there !== 'string' && typeof value !== 'string') add(there, value);
    else throw new Error(`${key} is in two files`);
  }
  return tree;
}

/** All texts of a language but those of refusals, which are made from the server's. */
function textsOf(language: 'en' | 'zh'): Tree {
  const files = readdirSync('islands/i18n').filter(
    (file) => file.split('.').at(-2) === language || file === `${language}.json`,
  );
  return files
    .filter((file) => file.endsWith('.json') && !file.startsWith('errors.'))
    .map((file) => JSON.parse(readFileSync(`islands/i18n/${file}`, 'utf8')) as Tree)
    .reduce(add, {});
}

const en = textsOf('en');
const zh = textsOf('zh');

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
  ['en-AU', 'Wrong password', 'Check out 1 unit', 'Check out 2 units'],
  ['zh-Hans', '密码错误', '结算 1 件', '结算 2 件'],
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
])('shows in %s from which amount a voucher is valid', async (language, text) => {
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

it('shows until when the pay password is locked', async () => {
  freshBrowser();
  const { errorText, loadTexts } = await import('.');
  await loadTexts();
  const reason = 'too_frequent';
  const why = { why: '已锁定', whyEn: 'Your pay password is locked until 28 Nov 2026.' };
  expect(errorText({ reason, ...why })).toBe(why.whyEn);
  expect(errorText({ reason })).toBe(errors[reason].en);
});

beforeEach(() => void vi.resetModules());
