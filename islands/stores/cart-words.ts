/* The texts about changes of a cart (docs/product.md#carts). */
import { errorText, t } from '../i18n';
import { bothNames } from '../lang';
import type { Toast } from '../ui/toast';
import { atMost } from './cart-rules';
import type { CartText } from './server-cart-state';
import type { Line } from './snapshot';

type Named = Pick<Line, 'goodsName' | 'goodsEnglishName'>;
type Limited = Named & Pick<Line, 'goodsStockAmount' | 'limitAmount' | 'cartonSize' | 'isAdvance'>;

/** Gives a product's name in the page's language. */
export function nameOf(line: Named): string {
  return bothNames(line.goodsName, line.goodsEnglishName).name;
}

/** Names products, with a comma between them. */
export function namesOf(lines: readonly Named[]): string {
  return lines.map(nameOf).join(t('ui.listComma'));
}

/** Shows how many units of a product can be bought, with its name. */
export function mostOf(line: Limited): string {
  return t('cart.mostOf', { name: nameOf(line), most: atMost(line) });
}

/** Shows that a cart has fewer units of products than were asked for. */
export function cappedText(lines: readonly Limited[]): string {
  return t('cart.capped', { goods: lines.map(mostOf).join(t('ui.listComma')) });
}

/** Gives a text of the cart's rules in the page's language. */
export function wordsOf(text: CartText): string {
  switch (text.type) {
    case 'waits':
      return t('cart.waits');
    case 'most':
      return atMost(text.line);
    case 'capped':
      return cappedText(text.lines);
    case 'gone':
      return t('cart.gone', { names: namesOf(text.lines) });
    case 'notSaved':
      return t('cart.notSaved', { reason: errorText(text.error) });
    case 'error':
      return errorText(text.error);
  }
}

/** Gives the button of a toast that takes a change back. */
export function undo(act: () => unknown): Toast['action'] {
  return { label: t('cart.undo'), act };
}
