import { formatAud } from '../money';
import {
  type CartName,
  countOf,
  type Line,
  onSnapshotChange,
  type PromotionGroup,
  readPromotions,
  readSnapshot,
  totalOf,
} from '../stores/snapshot';
import { symbol } from '../ui/icons';

/*
 * Paints what every page shows of the customer and the cart, without React. The templates mark the places:
 *   data-cart-count               the number of units; hidden while the cart is empty
 *   data-cart-total               the total of the checked lines; hidden while the cart is empty
 *   data-customer="Hi, {name}"    takes this text while somebody is logged in
 *   article.card[data-goods]      a goods card: gets its ring and, from <template id="card-stepper">, its stepper;
 *                                 with `action` in its goods it buys in that promotion, with [data-bulk] by the carton
 */

interface CardGoods {
  goodsId: number;
  action?: { goodsActionTypeId: number };
}

function all(selector: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(selector);
}

function paintCart(lines: Line[]): void {
  const count = countOf(lines);
  const fill = (element: HTMLElement, text: string) => {
    element.textContent = text;
    element.hidden = count === 0;
  };
  for (const element of all('[data-cart-count]')) fill(element, count > 99 ? '99+' : String(count));
  for (const element of all('[data-cart-total]')) fill(element, formatAud(totalOf(lines)));
}

function paintCustomer(): void {
  const name = localStorage.getItem('nickname') || localStorage.getItem('account') || '';
  const known = Boolean(localStorage.getItem('token'));
  for (const element of all('[data-customer]')) {
    element.dataset.stranger ??= element.textContent ?? '';
    element.textContent = known
      ? (element.dataset.customer ?? '').replace('{name}', name)
      : element.dataset.stranger;
  }
}

interface Kept {
  carts: Record<CartName, Line[]>;
  promotions: PromotionGroup[];
}

/** Gives the line that a card's goods has in the cart that the card buys into. */
function lineOf(card: HTMLElement, { carts, promotions }: Kept): Line | undefined {
  const goods = JSON.parse(card.dataset.goods ?? '{}') as CardGoods;
  const id = goods.action?.goodsActionTypeId;
  const promoted = promotions.find((group) => group.goodsActionTypeId === id)?.shoppingCart;
  const server = carts[card.dataset.bulk === undefined ? 'cart' : 'bulkCart'];
  const lines = id === undefined ? server : (promoted ?? []);
  return lines.find((line) => line.goodsId === goods.goodsId);
}

function stepperOf(place: HTMLElement, name: string): HTMLElement | null {
  const existing = place.querySelector<HTMLElement>('.stepper');
  if (existing) return existing;
  const template = document.querySelector<HTMLTemplateElement>('#card-stepper');
  const stepper = template?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
  if (!stepper) return null;
  for (const labelled of [stepper, ...stepper.querySelectorAll('[aria-label]')]) {
    labelled.setAttribute('aria-label', `${labelled.getAttribute('aria-label')}: ${name}`);
  }
  place.append(stepper);
  return stepper;
}

function fillStepper(stepper: HTMLElement, line: Line): void {
  const output = stepper.querySelector('output');
  if (output) output.textContent = String(line.goodsAmount);
  const removes = line.goodsAmount <= line.minAmount;
  stepper.querySelector('[data-step="-1"] use')?.setAttribute('href', symbol(removes ? 'trash-2' : 'minus'));
}

function paintCard(card: HTMLElement, line: Line | undefined): void {
  card.classList.toggle('card--incart', Boolean(line));
  const place = card.querySelector<HTMLElement>('.card__add');
  const add = place?.querySelector<HTMLButtonElement>('button.add, button.add--carton');
  if (!place || !add) return;
  const hadFocus = place.contains(document.activeElement);
  const name = card.querySelector('.card__name')?.textContent?.trim() ?? '';
  const stepper = line ? stepperOf(place, name) : null;
  if (stepper && line) fillStepper(stepper, line);
  else place.querySelector('.stepper')?.remove();
  add.hidden = Boolean(stepper);
  const focused = document.activeElement;
  const lostFocus = hadFocus && (focused === add ? add.hidden : !place.contains(focused));
  if (lostFocus) (stepper?.querySelector<HTMLElement>('[data-step="1"]') ?? add).focus();
}

/** Paints what the page shows of the cart and the customer; for parts that have just come into the page. */
export function paint(): void {
  const carts = { cart: readSnapshot('cart').lines, bulkCart: readSnapshot('bulkCart').lines };
  const promotions = readPromotions();
  const lines = [...Object.values(carts), ...promotions.map((group) => group.shoppingCart)].flat();
  paintCart(lines);
  paintCustomer();
  // Of an empty cart only the cards tell that it has held something; a page has more than a hundred others.
  const cards = lines.length ? 'article.card[data-goods]' : 'article.card--incart';
  for (const card of all(cards)) paintCard(card, lineOf(card, { carts, promotions }));
}

/** Paints the header and the cards now and whenever the cart or the customer changes, in any tab. */
export function paintBadge(): void {
  paint();
  onSnapshotChange(paint);
  document.addEventListener('shop:session', paint);
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'token') paint();
  });
}
