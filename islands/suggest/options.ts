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

/** Makes the listbox's groups of options, each option a link with an id; empty groups are left out. */
export function groupsOf(answer: Suggestions): HTMLElement[] {
  const groups: [string, HTMLAnchorElement[]][] = [
    [t('suggest.categories'), answer.categories.map(categoryOption)],
    [t('suggest.brands'), answer.brands.map(brandOption)],
    [t('suggest.products'), answer.goods.map(productOption)],
  ];
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
