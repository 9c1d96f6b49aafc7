/*
 * Adds products from cards and from the product page, by event delegation for the whole page and without React.
 * The templates mark the elements:
 *   [data-product='{…}']     an article.card or a form[data-buy]: the product as JSON, the fields of CartProduct
 *   .card__add               on a card: its button adds one, its stepper is rendered by the badge
 *   form[data-buy]           the product page's form: input[name=goodsAmount]; a submitter with value="now" buys now
 *   [data-step="1"|"-1"]     buttons of type="button" that change the amount
 * A product with an `action` is bought in that promotion, one within [data-bulk] by the carton.
 */
import { loadTexts, t } from '../i18n';
import { pageUrl } from '../lang';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import { atMost, type CartProduct, maxAmount } from '../stores/cart-rules';
import * as carts from '../stores/carts';
import * as promotions from '../stores/promotion-cart';
import type { Promotion } from '../stores/snapshot';
import { announce } from '../ui/announce';
import { make } from '../ui/dom';
import { ensureToastRegion } from '../ui/toast-region';

type BuyProduct = CartProduct & { action?: Promotion };

function productOf(element: Element): BuyProduct | null {
  const holder = element.closest<HTMLElement>('[data-product]');
  return holder ? (JSON.parse(holder.dataset.product ?? '') as BuyProduct) : null;
}

function amountField(control: HTMLElement): HTMLInputElement | null {
  return control.querySelector<HTMLInputElement>('input[name="goodsAmount"]');
}

function clamp(product: CartProduct, wanted: number): number {
  return Math.max(product.minAmount, Math.min(maxAmount(product), wanted || product.minAmount));
}

/** The amounts that were typed and are more than can be bought, until the field holds another one. */
const tooMany = new WeakMap<HTMLInputElement, number>();

/** Shows below the amount why it is another one than asked for; an empty text takes that away. */
function note(field: HTMLInputElement, text: string): void {
  const row = field.closest('.buy__row') ?? field;
  row.parentElement?.querySelector('.buy__note')?.remove();
  if (!text) return;
  row.after(make('p', { class: 'buy__note' }, text));
  announce(text);
}

/** Shows the amount that can be bought in place of the one that is wanted, with a note where they differ. */
function settle(field: HTMLInputElement, product: CartProduct, wanted: number): void {
  const amount = clamp(product, wanted);
  field.value = String(amount);
  tooMany.delete(field);
  const least = wanted < amount && product.minAmount > 1 ? t('cart.least', { count: product.minAmount }) : '';
  note(field, wanted > amount ? atMost(product) : least);
}

/** Settles an amount that was typed. */
function settleTyped(field: HTMLInputElement, product: CartProduct): void {
  const wanted = Math.floor(Number(field.value)) || 0;
  settle(field, product, wanted);
  if (wanted > Number(field.value)) tooMany.set(field, wanted);
}

/** Settles what was typed before this script was there. */
function settleEarlier(field: HTMLInputElement, product: CartProduct): void {
  if (field.value !== String(clamp(product, Number(field.value)))) settleTyped(field, product);
}

function onChange(event: Event): void {
  const field = event.target as HTMLInputElement;
  const product = field.matches('[data-buy] input[name="goodsAmount"]') ? productOf(field) : null;
  if (product) settleTyped(field, product);
}

interface TargetCart {
  /** Gives whether all were added. */
  add: (amount: number) => boolean;
  change: (direction: number) => void;
  /** Puts the amount in and checks nothing else; gives whether it can be bought. */
  putOnly: (amount: number) => boolean;
}

/** Gives the cart that a card or a form adds to. */
function targetCart(product: BuyProduct, control: Element): TargetCart {
  const { goodsId, action } = product;
  const isIn = (lines: readonly { goodsId: number }[]) => lines.some((line) => line.goodsId === goodsId);
  if (action) {
    const id = action.goodsActionTypeId;
    return {
      add: (amount) => {
        const isWhole = promotions.add({ ...product, action }, amount);
        if (isWhole && promotions.groups.value.length > 1) {
          void import('./second-promotion').then(({ explainSecond }) =>
            explainSecond({ ...product, action }, promotions.groups.value, (ordinary) => {
              promotions.change(id, goodsId, -amount);
              cart.add(ordinary, amount);
            }),
          );
        }
        return isWhole;
      },
      change: (direction) => promotions.change(id, goodsId, direction),
      putOnly: (amount) => {
        cart.checkAll(false);
        bulk.checkAll(false);
        promotions.checkOnly(null);
        return promotions.put({ ...product, action }, amount);
      },
    };
  }
  const store = control.closest('[data-bulk]') ? bulk : cart;
  return {
    add: (amount) => store.add(product, amount),
    change: (direction) => store.change(goodsId, direction * ((store === bulk && product.cartonSize) || 1)),
    putOnly: (amount) => {
      (store === bulk ? cart : bulk).checkAll(false);
      promotions.checkOnly(null);
      store.putOnly(product, amount);
      return isIn(store.checked.value);
    },
  };
}

async function buyNow(target: TargetCart, amount: number): Promise<void> {
  if (!target.putOnly(amount)) return;
  await carts.flush();
  if (carts.checkedCount.value === 0) return;
  location.assign(pageUrl('/home/createOrder/delivery'));
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const product = form.matches('[data-buy]') ? productOf(form) : null;
  if (!product) return;
  event.preventDefault();
  const field = amountField(form);
  if (field) settleEarlier(field, product);
  const amount = field ? clamp(product, Number(field.value)) : product.minAmount;
  const wanted = (field && tooMany.get(field)) ?? amount;
  const submitter = event.submitter as HTMLButtonElement | null;
  const target = targetCart(product, form);
  if (field) tooMany.delete(field);
  if (submitter?.value !== 'now') {
    const isWhole = target.add(wanted);
    if (field && !isWhole) note(field, atMost(product));
  } else if (wanted === amount) void buyNow(target, amount);
  // A customer who wanted more has to see what there is first.
  else field?.focus();
}

function onClick(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>('[data-step], .card__add button');
  const control = button?.closest<HTMLElement>('.card__add, [data-buy]');
  const product = control && productOf(control);
  if (!button || !control || !product) return;
  // Without script a card's button opens the cart.
  event.preventDefault();
  const delta = Number(button.dataset.step ?? 0);
  const field = amountField(control);
  if (field) settle(field, product, Number(field.value) + delta);
  else if (delta) targetCart(product, control).change(delta);
  else targetCart(product, control).add(product.minAmount);
}

/** Listens for the page's add buttons, steppers and buy form. */
export default async function start(): Promise<void> {
  await Promise.all([loadTexts(), ensureToastRegion()]);
  document.addEventListener('change', onChange);
  document.addEventListener('submit', onSubmit);
  document.addEventListener('click', onClick);
  const form = document.querySelector<HTMLElement>('form[data-buy]');
  const field = form && amountField(form);
  const product = form && productOf(form);
  // A field that has the focus will send a change.
  if (field && product && field !== document.activeElement) settleEarlier(field, product);
}
