// Fails when the built islands weigh more than the budget allows (gzip, bytes).
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

const OUT = 'static/islands';
const BEFORE_A_TOUCH = 8 * 1024;
const ONE_PAGE_IN_ALL = 120 * 1024;
const STYLESHEET = 20 * 1024;

const manifest = JSON.parse(await readFile(`${OUT}/manifest.json`, 'utf8'));

async function weigh(names) {
  const files = new Set(names.flatMap((name) => [manifest[name].file, ...manifest[name].imports]));
  const sizes = await Promise.all(
    [...files].map(async (file) => gzipSync(await readFile(`${OUT}/${file}`)).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function heaviestLanguage() {
  const languages = Object.keys(manifest).filter((name) => name.startsWith('i18n/'));
  const sizes = await Promise.all(languages.map(async (name) => [await weigh([name]), name]));
  return sizes.sort(([a], [b]) => b - a)[0][1];
}

const language = await heaviestLanguage();
const islands = Object.keys(manifest).filter((name) => !name.includes('/') && name !== 'loader');
const weights = [
  ['stylesheet', await weigh(['css/shop']), STYLESHEET],
  ['before a touch', await weigh(['loader']), BEFORE_A_TOUCH],
  ...(await Promise.all(
    islands.map(async (name) => [`${name} in all`, await weigh(['loader', language, name]), ONE_PAGE_IN_ALL]),
  )),
];

let failed = false;
for (const [what, bytes, budget] of weights) {
  const over = bytes > budget;
  failed ||= over;
  console.log(`${over ? 'OVER ' : 'ok   '} ${what}: ${(bytes / 1024).toFixed(1)} of ${budget / 1024} KB`);
}
process.exit(failed ? 1 : 0);
