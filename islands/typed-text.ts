/*
 * Cleans texts that people type or paste, by one rule for all inputs (docs/wire.md#typed-texts). site/core/typed_text.py
 * is the same rule; typed-texts.json has the cases that test both.
 */

/** Scripts that write joiners between letters: Arabic, those of India and others; then emoji. */
const JOINING =
  '\\u0590-\\u109f\\u1780-\\u1c4f\\ua840-\\uabdf\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10a00}-\\u{11fff}';
const EMOJI = '\\u2190-\\u2bff\\ufe0f\\u{1f000}-\\u{1faff}';
/** Joiners, soft hyphens, zero-width spaces, marks of direction, byte order marks; joiners with a meaning stay. */
const INVISIBLE = new RegExp(
  `([${JOINING}][\\u200c\\u200d]|[${EMOJI}]\\u200d(?=[${EMOJI}]))` +
    '|[\\u00ad\\u061c\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb]',
  'gu',
);
/** Full-width letters and digits, wide spaces, and what PDFs have for characters: radicals and ligatures. */
const VARIANTS =
  /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u00a0\u2000-\u200a\u202f\u205f\u3000\u2f00-\u2fd5\ufb00-\ufb06]/g;
/** Not < > " and \, which would get a meaning in HTML and JSON. */
const PUNCTUATION =
  /[\uff01\uff03-\uff0f\uff1a\uff1b\uff1d\uff1f\uff20\uff3b\uff3d-\uff40\uff5b-\uff5e\u3002]/g;
const CHINESE =
  /[\u2e80-\u2fff\u3005-\u3007\u3040-\u31ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u;

const compatible = (found: string) => (found === '\u3002' ? '.' : found.normalize('NFKC'));

/** Gives a text without invisible characters and full-width letters, digits and spaces; its punctuation stays. */
export function cleanLetters(text: string): string {
  return text.replace(INVISIBLE, '$1').replace(VARIANTS, compatible);
}

/** Gives a text as `cleanLetters` does; full-width punctuation stays only with Chinese, Japanese or Korean. */
export function cleanText(text: string): string {
  const cleaned = cleanLetters(text);
  return CHINESE.test(cleaned) ? cleaned : cleaned.replace(PUNCTUATION, compatible);
}
