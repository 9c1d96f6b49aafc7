// Fails when the stylesheet or the scripts of a page exceed their budget, compressed by gzip as they are served, or
// when the scripts that show a page are too many files: a browser asks for six at a time. It also fails at a call that
// the oldest supported engine cannot run.
import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { findRefusedChains } from './chains.mjs';

const OUT = 'static/islands';
const BEFORE_A_TOUCH = 8 * 1024;
const ONE_PAGE_IN_ALL = 125 * 1024;
const STYLESHEET = 20 * 1024;
const FILES = 32;

const manifest = JSON.parse(await readFile(`${OUT}/manifest.json`, 'utf8'));
const names = Object.keys(manifest);

const filesOf = (...entries) =>
  new Set(entries.flatMap((name) => [manifest[name].file, ...manifest[name].imports]));

async function weigh(...entries) {
  const sizes = await Promise.all(
    [...filesOf(...entries)].map(
      async (file) => gzipSync(await readFile(`${OUT}/${file}`), { level: 9 }).length,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function heaviestLanguage() {
  const languages = ['en', 'zh'].map((language) => [`i18n/${language}`, `i18n/errors.${language}`]);
  const sizes = await Promise.all(languages.map((texts) => weigh(...texts)));
  return languages[sizes.indexOf(Math.max(...sizes))];
}

const language = await heaviestLanguage();
const islands = names.filter((name) => !name.includes('/') && name !== 'loader');
// What an island imports dynamically from its own folder, such as a step of the checkout, is its own page.
const pages = islands.flatMap((island) => {
  const parts = names.filter((name) => name.startsWith(`${island}/`));
  return parts.length ? parts.map((part) => [island, part]) : [[island]];
});

// The islands that load texts of their own as well.
const PARTS = {
  account: ['account', 'captcha', 'login', 'pin', 'points', 'security'],
  addresses: ['address', 'place'],
  cart: ['cart'],
  'cart-drawer': ['cart'],
  favourite: ['favourites'],
  favourites: ['favourites', 'orders'],
  claims: ['claims', 'orders'],
  login: ['captcha', 'login'],
  'login-invalid': ['session'],
  logistics: ['orders'],
  orders: ['order-search', 'orders'],
  'order-details': ['orders', 'transfer', 'wallet', 'wishes'],
  'pay-result': ['result', 'wallet'],
  reorder: ['orders'],
  rewards: ['orders', 'points'],
  suggest: ['suggest'],
  wallet: ['wallet'],
};
const ownTexts = (island) =>
  (PARTS[island] ?? []).map((part) => language[0].replace('i18n/', `i18n/${part}.`));

const weights = [
  ['stylesheet', await weigh('css/shop'), STYLESHEET],
  ['before a touch', await weigh('loader'), BEFORE_A_TOUCH],
];
for (const page of pages) {
  weights.push([
    `${page.at(-1)} in all`,
    await weigh('loader', ...language, ...ownTexts(page[0]), ...page),
    ONE_PAGE_IN_ALL,
  ]);
}

const verdict = (isOver) => (isOver ? 'OVER ' : 'ok   ');
for (const [what, bytes, budget] of weights) {
  console.log(`${verdict(bytes > budget)} ${what}: ${(bytes / 1024).toFixed(1)} of ${budget / 1024} KB`);
}
const counts = islands.map((island) => [island, filesOf('loader', ...language, island).size]);
for (const [island, count] of counts) {
  console.log(`${verdict(count > FILES)} ${island}: ${count} of ${FILES} files`);
}
const isOver =
  weights.some(([, bytes, budget]) => bytes > budget) || counts.some(([, count]) => count > FILES);

const scripts = (await readdir(OUT)).filter((file) => file.endsWith('.js'));
const texts = await Promise.all(scripts.map((file) => readFile(`${OUT}/${file}`, 'utf8')));
const refused = texts.flatMap(findRefusedChains);
for (const call of refused) console.log(`FAILS in Chrome before 91: ${call}`);
process.exit(isOver || refused.length ? 1 : 0);
