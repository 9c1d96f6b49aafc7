/*
 * Adds goods from cards and from the detail page, for the whole page by delegation and without React.
 * The templates mark the places:
 *   [data-goods='{…}']       an article.card or a form[data-buy]: the goods as JSON, the fields of CartGoods
 *   .card__add               on a card: its button adds one, its stepper is painted by the badge
 *   form[data-buy]           the detail page's form: input[name=goodsAmount]; a submitter with value="now" buys now
 *   [data-step="1"|"-1"]     buttons of type="button" that change the amount
 * Goods with an `action` are bought in that promotion; those within [data-bulk] by the carton.
 */
import { loadTexts } from '../i18n';
import { loginUrl, pageUrl } from '../lang';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import { type CartGoods, most } from '../stores/cart-rules';
import * as carts from '../stores/carts';
import * as promotions from '../stores/promotion-cart';
import { isLoggedIn } from '../stores/session';
import { keepChecksAtLogin, type Promotion } from '../stores/snapshot';
import { ensureToastRegion } from '../ui/toast-region';

type BuyGoods = CartGoods & { action?: Promotion };

function goodsOf(element: Element): BuyGoods | null {
  const holder = element.closest<HTMLElement>('[data-goods]');
  return holder ? (JSON.parse(holder.dataset.goods ?? '') as BuyGoods) : null;
}

function amountField(place: HTMLElement): HTMLInputElement | null {
  return place.querySelector<HTMLInputElement>('input[name="goodsAmount"]');
}

function clamp(goods: CartGoods, wanted: number): number {
  return Math.max(goods.minAmount, Math.min(most(goods), wanted || goods.minAmount));
}

interface Basket {
  add: (amount: number) => void;
  change: (direction: number) => void;
  /** Puts the amount in and checks nothing else; tells whether it can be bought. */
  only: (amount: number) => boolean;
}

/** Gives the cart that a card or a form buys into. */
function basketOf(goods: BuyGoods, place: Element): Basket {
  const { goodsId, action } = goods;
  const isIn = (lines: readonly { goodsId: number }[]) => lines.some((line) => line.goodsId === goodsId);
  if (action) {
    const id = action.goodsActionTypeId;
    return {
      add: (amount) => promotions.add({ ...goods, action }, amount),
      change: (direction) => promotions.change(id, goodsId, direction),
      only: (amount) => {
        cart.checkAll(false);
        bulk.checkAll(false);
        promotions.keepOnly(null);
        return promotions.put({ ...goods, action }, amount);
      },
    };
  }
  const store = place.closest('[data-bulk]') ? bulk : cart;
  return {
    add: (amount) => store.add(goods, amount),
    change: (direction) => store.change(goodsId, direction * ((store === bulk && goods.cartonSize) || 1)),
    only: (amount) => {
      (store === bulk ? cart : bulk).checkAll(false);
      promotions.keepOnly(null);
      store.putOnly(goods, amount);
      return isIn(store.checked.value);
    },
  };
}

async function buyNow(basket: Basket, amount: number): Promise<void> {
  if (!basket.only(amount)) return;
  await carts.flush();
  if (carts.checkedCount.value === 0) return;
  const delivery = pageUrl('/home/createOrder/delivery');
  if (!isLoggedIn.value) keepChecksAtLogin();
  location.assign(isLoggedIn.value ? delivery : loginUrl(delivery));
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const goods = form.matches('[data-buy]') ? goodsOf(form) : null;
  if (!goods) return;
  event.preventDefault();
  const field = amountField(form);
  const amount = field ? clamp(goods, Number(field.value)) : goods.minAmount;
  const submitter = event.submitter as HTMLButtonElement | null;
  const basket = basketOf(goods, form);
  if (submitter?.value === 'now') void buyNow(basket, amount);
  else basket.add(amount);
}

function onClick(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>('[data-step], .card__add button');
  const place = button?.closest<HTMLElement>('.card__add, [data-buy]');
  const goods = place && goodsOf(place);
  if (!button || !place || !goods) return;
  // Without script a card's button leads to the cart.
  event.preventDefault();
  const delta = Number(button.dataset.step ?? 0);
  const field = amountField(place);
  if (field) field.value = String(clamp(goods, Number(field.value) + delta));
  else if (delta) basketOf(goods, place).change(delta);
  else basketOf(goods, place).add(goods.minAmount);
}

/** Listens for the page's add buttons, steppers and buy form. */
export default async function start(): Promise<void> {
  await Promise.all([loadTexts(), ensureToastRegion()]);
  document.addEventListener('submit', onSubmit);
  document.addEventListener('click', onClick);
}
