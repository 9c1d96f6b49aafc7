import { lang } from '../lang';
import { formatAud } from '../money';
import { DEFAULT_COUNTRY, knownPlace, placeLine } from '../stores/known-place';
import {
  type CartName,
  countOf,
  type Line,
  onSnapshotChange,
  type PromotionGroup,
  readRunningPromotions,
  readSnapshot,
  savesTogether,
  totalOf,
} from '../stores/snapshot';
import { read } from '../stores/storage';
import { symbol } from '../ui/icons';

/*
 * Renders what every page shows of the customer and the cart, without React. The templates mark the elements:
 *   data-cart-count               the number of units; hidden while the cart is empty
 *   data-cart-total               the total of the checked lines; hidden while none is checked, or only the server knows it
 *   data-customer="Hi, {name}"    has this text while a customer is logged in
 *   data-guests-only              hidden while a customer is logged in
 *   data-place                    has the last place for deliveries; data-has-place is hidden without one, data-no-place with one
 *   data-arrival                  has when something can arrive there (islands/place/header.ts)
 *   data-favourite="7"            the heart of a product: pressed while it is in the default list
 *   article.card[data-product]    a product card: gets its ring and, from <template id="card-stepper">, a stepper;
 *                                 with `action` in its JSON it buys in that promotion, with [data-bulk] by the carton
 */

interface CardProduct {
  goodsId: number;
  action?: { goodsActionTypeId: number };
}

function all(selector: string): NodeListOf<HTMLElement> {
  return document.querySelectorAll<HTMLElement>(selector);
}

function paintCart(lines: Line[], hasSum: boolean): void {
  const count = countOf(lines);
  for (const element of all('[data-cart-count]')) {
    element.textContent = count > 99 ? '99+' : String(count);
    element.hidden = count === 0;
  }
  for (const element of all('[data-cart-total]')) {
    element.textContent = formatAud(totalOf(lines));
    element.hidden = !hasSum || !lines.some((line) => line.checked);
  }
}

function paintCustomer(): void {
  const name = localStorage.getItem('nickname') || localStorage.getItem('account') || '';
  const known = Boolean(localStorage.getItem('token'));
  for (const element of all('[data-customer]')) {
    element.dataset.guest ??= element.textContent ?? '';
    element.textContent = known
      ? (element.dataset.customer ?? '').replace('{name}', name)
      : element.dataset.guest;
  }
  for (const element of all('[data-guests-only]')) element.hidden = known;
}

async function paintPlace(): Promise<void> {
  const place = knownPlace();
  const isAbroad = place && place.country !== DEFAULT_COUNTRY;
  const line = isAbroad
    ? await (await import('../addresses/abroad')).lineAbroad(place)
    : place && placeLine(place, place.country);
  for (const element of all('[data-place]')) element.textContent = line;
  for (const element of all('[data-has-place]')) element.hidden = !line;
  for (const element of all('[data-no-place]')) element.hidden = Boolean(line);
  const [arrival] = all('[data-arrival]');
  if (arrival && (place || arrival.textContent)) await (await import('../place/header')).showArrival(place);
}

function paintHearts(): void {
  const hearts = all('[data-favourite]');
  const ids = hearts.length ? (read<number[]>(localStorage, 'favourites') ?? []) : [];
  for (const heart of hearts) {
    heart.setAttribute('aria-pressed', String(ids.includes(Number(heart.dataset.favourite))));
  }
}

interface StoredCarts {
  carts: Record<CartName, readonly Line[]>;
  promotions: PromotionGroup[];
}

/** Gives the line that a card's product has in the cart the card adds to. */
function lineOf(card: HTMLElement, { carts, promotions }: StoredCarts): Line | undefined {
  const product = JSON.parse(card.dataset.product ?? '{}') as CardProduct;
  const id = product.action?.goodsActionTypeId;
  const promoted = promotions.find((group) => group.goodsActionTypeId === id)?.shoppingCart;
  const server = carts[card.dataset.bulk === undefined ? 'cart' : 'bulkCart'];
  const lines = id === undefined ? server : (promoted ?? []);
  return lines.find((line) => line.goodsId === product.goodsId);
}

function stepperOf(box: HTMLElement, name: string): HTMLElement | null {
  const existing = box.querySelector<HTMLElement>('.stepper');
  if (existing) return existing;
  const template = document.querySelector<HTMLTemplateElement>('#card-stepper');
  const stepper = template?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
  if (!stepper) return null;
  const colon = lang() === 'zh' ? '：' : ': ';
  for (const labelled of [stepper, ...stepper.querySelectorAll('[aria-label]')]) {
    labelled.setAttribute('aria-label', `${labelled.getAttribute('aria-label')}${colon}${name}`);
  }
  box.append(stepper);
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
  const box = card.querySelector<HTMLElement>('.card__add');
  const add = box?.querySelector<HTMLButtonElement>('button.add, button.add--carton');
  if (!box || !add) return;
  const hadFocus = box.contains(document.activeElement);
  const name = card.querySelector('.card__name')?.textContent?.trim() ?? '';
  const stepper = line ? stepperOf(box, name) : null;
  if (stepper && line) fillStepper(stepper, line);
  else box.querySelector('.stepper')?.remove();
  add.hidden = Boolean(stepper);
  const focused = document.activeElement;
  const lostFocus = hadFocus && (focused === add ? add.hidden : !box.contains(focused));
  if (lostFocus) (stepper?.querySelector<HTMLElement>('[data-step="1"]') ?? add).focus();
}

/** Renders the cart and the customer into the page; call it for elements that were just added. */
export function paint(): void {
  const carts = { cart: readSnapshot('cart').lines, bulkCart: readSnapshot('bulkCart').lines };
  const promotions = readRunningPromotions();
  const lines = [...Object.values(carts), ...promotions.map((group) => group.shoppingCart)].flat();
  const chosen = promotions.filter((group) => group.shoppingCart.some((line) => line.checked));
  // Of what is bought together with a discount only the server knows the sum; of several promotions no order has it.
  paintCart(lines, chosen.length < 2 && !chosen.some(savesTogether));
  paintCustomer();
  paintPlace().catch(console.warn);
  paintHearts();
  // With an empty cart only marked cards can change, and a page may have more than a hundred others.
  const cards = lines.length ? 'article.card[data-product]' : 'article.card--incart';
  for (const card of all(cards)) paintCard(card, lineOf(card, { carts, promotions }));
}

/** Renders the header and the cards now and whenever the cart or the customer changes, in any tab. */
export function paintBadge(): void {
  paint();
  onSnapshotChange(paint);
  document.addEventListener('shop:session', paint);
  document.addEventListener('shop:nickname', paintCustomer);
  document.addEventListener('shop:place', () => void paintPlace().catch(console.warn));
  document.addEventListener('shop:favourites', paintHearts);
  window.addEventListener('storage', (event) => {
    if (event.key === null || event.key === 'token') paint();
    if (event.key === 'nickname') paintCustomer();
    if (event.key === 'shop.favourites') paintHearts();
  });
}
