/*
 * Adds goods from cards and from the detail page, for the whole page by delegation and without React.
 * The templates mark the places:
 *   [data-goods='{…}']       an article.card or a form[data-buy]: the goods as JSON, the fields of CartGoods
 *   .card__add               the form on a card; its submit adds one, its stepper is painted by the badge
 *   form[data-buy]           the detail page's form: input[name=goodsAmount]; a submitter with value="now" buys now
 *   [data-step="1"|"-1"]     buttons of type="button" that change the amount
 */
import { loadTexts } from '../i18n';
import { loginUrl, pageUrl } from '../lang';
import * as cart from '../stores/cart';
import { type CartGoods, most } from '../stores/cart-rules';
import { isLoggedIn } from '../stores/session';
import { ensureToastRegion } from '../ui/toast-region';

function goodsOf(element: Element): CartGoods | null {
  const holder = element.closest<HTMLElement>('[data-goods]');
  return holder ? (JSON.parse(holder.dataset.goods ?? '') as CartGoods) : null;
}

function amountField(form: HTMLFormElement): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>('input[name="goodsAmount"]');
}

function clamp(goods: CartGoods, wanted: number): number {
  return Math.max(goods.minAmount, Math.min(most(goods), wanted || goods.minAmount));
}

async function buyNow(goods: CartGoods, amount: number): Promise<void> {
  cart.putOnly(goods, amount);
  await cart.flush();
  if (!cart.checked.value.some((line) => line.goodsId === goods.goodsId)) return;
  const delivery = pageUrl('/home/createOrder/delivery');
  if (!isLoggedIn.value) cart.keepChecksAtLogin();
  location.assign(isLoggedIn.value ? delivery : loginUrl(delivery));
}

function onSubmit(event: SubmitEvent): void {
  const form = event.target as HTMLFormElement;
  const goods = form.matches('.card__add, [data-buy]') ? goodsOf(form) : null;
  if (!goods) return;
  event.preventDefault();
  const field = amountField(form);
  const amount = field ? clamp(goods, Number(field.value)) : goods.minAmount;
  const submitter = event.submitter as HTMLButtonElement | null;
  if (submitter?.value === 'now') void buyNow(goods, amount);
  else cart.add(goods, amount);
}

function onClick(event: MouseEvent): void {
  const button = (event.target as Element).closest<HTMLElement>('[data-step]');
  const form = button?.closest<HTMLFormElement>('.card__add, [data-buy]');
  const goods = form && goodsOf(form);
  if (!button || !form || !goods) return;
  const delta = Number(button.dataset.step);
  const field = amountField(form);
  if (field) field.value = String(clamp(goods, Number(field.value) + delta));
  else cart.change(goods.goodsId, delta);
}

/** Listens for the page's add buttons, steppers and buy form. */
export default async function start(): Promise<void> {
  await Promise.all([loadTexts(), ensureToastRegion()]);
  document.addEventListener('submit', onSubmit);
  document.addEventListener('click', onClick);
}
