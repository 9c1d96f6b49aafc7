import { formatAud } from '../money';
import { countOf, type Line, onSnapshotChange, readSnapshot, totalOf } from '../stores/snapshot';
import { symbol } from '../ui/icons';

/*
 * Paints what every page shows of the customer and the cart, without React. The templates mark the places:
 *   data-cart-count               the number of units; hidden while the cart is empty
 *   data-cart-total               the total of the checked lines; hidden while the cart is empty
 *   data-customer="Hi, {name}"    takes this text while somebody is logged in
 *   article.card[data-goods]      a goods card: gets its ring and, from <template id="card-stepper">, its stepper
 */

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

function goodsIdOf(element: HTMLElement): number {
  return (JSON.parse(element.dataset.goods ?? '{}') as { goodsId: number }).goodsId;
}

function stepperOf(form: HTMLElement, name: string): HTMLElement | null {
  const existing = form.querySelector<HTMLElement>('.stepper');
  if (existing) return existing;
  const template = document.querySelector<HTMLTemplateElement>('#card-stepper');
  const stepper = template?.content.firstElementChild?.cloneNode(true) as HTMLElement | undefined;
  if (!stepper) return null;
  for (const labelled of [stepper, ...stepper.querySelectorAll('[aria-label]')]) {
    labelled.setAttribute('aria-label', `${labelled.getAttribute('aria-label')}: ${name}`);
  }
  form.append(stepper);
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
  const form = card.querySelector<HTMLElement>('.card__add');
  const add = form?.querySelector<HTMLButtonElement>('button.add');
  if (!form || !add) return;
  const hadFocus = form.contains(document.activeElement);
  const name = card.querySelector('.card__name')?.textContent?.trim() ?? '';
  const stepper = line ? stepperOf(form, name) : null;
  if (stepper && line) fillStepper(stepper, line);
  else form.querySelector('.stepper')?.remove();
  add.hidden = Boolean(stepper);
  const focused = document.activeElement;
  const lostFocus = hadFocus && (focused === add ? add.hidden : !form.contains(focused));
  if (lostFocus) (stepper?.querySelector<HTMLElement>('[data-step="1"]') ?? add).focus();
}

function paint(): void {
  const { lines } = readSnapshot();
  const byId = new Map(lines.map((line) => [line.goodsId, line]));
  paintCart(lines);
  paintCustomer();
  for (const card of all('article.card[data-goods]')) paintCard(card, byId.get(goodsIdOf(card)));
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
