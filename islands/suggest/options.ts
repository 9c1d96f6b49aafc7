import type { Suggestions } from '../api/types';
import { t } from '../i18n';
import { bothNames, pageUrl, productUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { make } from '../ui/dom';

type Names = { name: string; other: string; otherLang: string };

function words({ name, other, otherLang }: Names): HTMLElement {
  const box = make('span', { class: 'suggest__names' }, make('b', {}, name));
  if (other && other !== name) box.append(make('small', { lang: otherLang }, other));
  return box;
}

function option(href: string, ...children: (Node | string)[]): HTMLAnchorElement {
  return make(
    'a',
    { class: 'suggest__option', role: 'option', 'aria-selected': 'false', tabindex: '-1', href },
    ...children,
  );
}

function productOption(product: Suggestions['goods'][number]): HTMLAnchorElement {
  const picture = make('span', { class: 'suggest__picture' });
  if (product.goodsImgUrl) {
    picture.append(
      make('img', { src: product.goodsImgUrl, alt: '', width: '44', height: '44', decoding: 'async' }),
    );
  }
  const both = bothNames(product.goodsName, product.goodsEnglishName);
  if (!product.goodsImgUrl) {
    const first = Array.from(both.name)[0]?.toUpperCase() ?? '';
    picture.append(make('span', { class: 'tile__mark', 'aria-hidden': 'true' }, first));
  }
  const names = words(both);
  const price = make('span', { class: 'suggest__price num' }, formatAud(toCents(product.memberPrice)));
  return option(productUrl(product.goodsId), picture, names, price);
}

function brandOption(brand: Suggestions['brands'][number]): HTMLAnchorElement {
  const href = pageUrl(`/shop?brandName=${encodeURIComponent(brand.brandNameEn)}`);
  return option(href, words(bothNames(brand.brandName, brand.brandNameEn)));
}

function categoryOption(category: Suggestions['categories'][number]): HTMLAnchorElement {
  const name = category.classifyPid ? 'goodsTypeId' : 'firstCategoryId';
  const href = pageUrl(`/shop?${name}=${category.classifyId}`);
  return option(href, words(bothNames(category.classifyName, category.classifyEnglishName)));
}

function wordOption(word: string): HTMLAnchorElement {
  return option(pageUrl(`/shop?word=${encodeURIComponent(word)}`), make('b', {}, word));
}

/** Makes the groups of suggestions for a word. */
export function suggestedGroups(answer: Suggestions): HTMLElement[] {
  return groupsOf([
    [t('suggest.categories'), answer.categories.map(categoryOption)],
    [t('suggest.brands'), answer.brands.map(brandOption)],
    [t('suggest.products'), answer.goods.map(productOption)],
  ]);
}

/** Makes the groups for an empty field; `clear` runs when the reader clears the recent words. */
export function wordGroups(recent: string[], popular: string[], clear: () => void): HTMLElement[] {
  const clearing = make(
    'button',
    {
      class: 'suggest__option suggest__clear',
      role: 'option',
      'aria-selected': 'false',
      tabindex: '-1',
      type: 'button',
    },
    t('suggest.clear'),
  );
  clearing.addEventListener('click', clear);
  return groupsOf([
    [t('suggest.recent'), recent.length ? [...recent.map(wordOption), clearing] : []],
    [t('suggest.popular'), popular.map(wordOption)],
  ]);
}

/** Makes the listbox's groups of options, each with an id; empty groups are left out. */
function groupsOf(groups: [string, HTMLElement[]][]): HTMLElement[] {
  let count = 0;
  return groups
    .filter(([, options]) => options.length)
    .map(([label, options], index) => {
      for (const each of options) each.id = `suggestion-${count++}`;
      const title = make(
        'p',
        { class: 'suggest__title', id: `suggestions-${index}`, role: 'presentation' },
        label,
      );
      return make('div', { role: 'group', 'aria-labelledby': title.id }, title, ...options);
    });
}
