import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

const RICE = makeProduct(1);

const PAGE = `
  <small data-customer="Hi, {name}">Sign in</small>
  <li data-guests-only>Log in or register</li>
  <span data-no-place>Choose</span><span hidden data-has-place>To <b data-place></b></span>
  <span data-cart-count hidden></span><b data-cart-total hidden></b>
  <template id="card-stepper"><div class="stepper" role="group" aria-label="Quantity"><button type="button"
    data-step="-1" aria-label="One less"><svg><use href="#minus"/></svg></button><output></output><button
    type="button" data-step="1" aria-label="One more"></button></div></template>
  <article class="card"><div class="card__add"><button class="add">Add</button></div>
    <h3 class="card__name"><a>Rice</a></h3></article>`;

const find = (selector: string) => document.querySelector<HTMLElement>(selector);

async function openPage() {
  vi.resetModules();
  document.body.innerHTML = PAGE;
  const card = find('article.card');
  if (card) card.dataset.product = JSON.stringify(RICE);
  const { paintBadge } = await import('.');
  paintBadge();
}

async function addRice(amount: number) {
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  const cart = await import('../stores/cart');
  cart.add(RICE, amount);
  return cart;
}

beforeEach(freshBrowser);

it('shows no numbers for an empty cart and the default text for a guest', async () => {
  await openPage();
  expect(find('[data-cart-count]')?.hidden).toBe(true);
  expect(find('[data-customer]')?.textContent).toBe('Sign in');
  expect(find('[data-guests-only]')?.hidden).toBe(false);
  expect(find('.card--incart')).toBeNull();
});

it('updates count, total and card as soon as something is added', async () => {
  await openPage();
  await addRice(2);
  expect(find('[data-cart-count]')?.textContent).toBe('2');
  expect(find('[data-cart-total]')?.textContent).toBe('A$7.80');
  expect(find('.card')?.classList.contains('card--incart')).toBe(true);
  expect(find('.add')?.hidden).toBe(true);
  expect(find('.stepper output')?.textContent).toBe('2');
  expect(find('.stepper')?.getAttribute('aria-label')).toBe('Quantity: Rice');
});

it('shows a sum only while something is checked', async () => {
  await openPage();
  const cart = await addRice(2);
  cart.checkAll(false);
  expect(['[data-cart-count]', '[data-cart-total]'].map((place) => find(place)?.hidden)).toEqual([
    false,
    true,
  ]);
  cart.checkAll(true);
  expect(find('[data-cart-total]')?.hidden).toBe(false);
});

it.each([
  ['price', false],
  ['gift', false],
  ['buy_get', true],
  ['bundle', true],
])('shows no sum of a promotion of the kind %s that only the server knows: %s', async (kind, hidden) => {
  const { lineOf } = await import('../stores/cart-rules');
  const shoppingCart = [lineOf(RICE, 2)];
  const group = { goodsActionTypeId: 7, kind, endTimeIso: '2099-01-01T00:00:00Z', shoppingCart };
  localStorage.setItem('shop.promotionCart', JSON.stringify([group]));
  await openPage();
  expect(find('[data-cart-count]')?.textContent).toBe('2');
  expect(find('[data-cart-total]')?.hidden).toBe(hidden);
});

it('shows no sum of several promotions, which no order has', async () => {
  const { lineOf } = await import('../stores/cart-rules');
  const group = (goodsActionTypeId: number, checked: boolean) => {
    const shoppingCart = [{ ...lineOf(RICE, 2), checked }];
    return { goodsActionTypeId, kind: 'price', endTimeIso: '2099-01-01T00:00:00Z', shoppingCart };
  };
  for (const checked of [true, false]) {
    localStorage.setItem('shop.promotionCart', JSON.stringify([group(7, true), group(8, checked)]));
    await openPage();
    expect(find('[data-cart-total]')?.hidden).toBe(checked);
  }
});

it('counts no products of a promotion that has ended', async () => {
  const { lineOf } = await import('../stores/cart-rules');
  const shoppingCart = [lineOf(RICE, 2)];
  const group = (endTimeIso: string) => ({ goodsActionTypeId: 7, endTimeIso, shoppingCart });
  localStorage.setItem('shop.promotionCart', JSON.stringify([group('2020-01-01T00:00:00Z')]));
  await openPage();
  expect(find('[data-cart-count]')?.hidden).toBe(true);
  localStorage.setItem('shop.promotionCart', JSON.stringify([group('2099-01-01T00:00:00Z')]));
  await openPage();
  expect(find('[data-cart-count]')?.textContent).toBe('2');
});

it('shows the cart of the last page', async () => {
  await openPage();
  await addRice(3);
  await openPage();
  expect(find('.stepper output')?.textContent).toBe('3');
});

it('names the last place for deliveries, of which a guest sees only what was typed', async () => {
  await openPage();
  expect([find('[data-no-place]')?.hidden, find('[data-has-place]')?.hidden]).toEqual([false, true]);
  logInAs('mei@example.com');
  const { rememberAddress, rememberTyped } = await import('../stores/place');
  rememberAddress({ country: 'Australia', cityName: ['NSW', '', 'Sydney'], city: '2000' });
  expect(find('[data-place]')?.textContent).toBe('Sydney NSW 2000');
  expect([find('[data-no-place]')?.hidden, find('[data-has-place]')?.hidden]).toEqual([true, false]);
  (await import('../stores/session')).endSession();
  await vi.waitFor(() => expect(find('[data-has-place]')?.hidden).toBe(true));
  rememberTyped({ country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' });
  expect(find('[data-place]')?.textContent).toBe('Perth WA 6000');
});

it('writes when something arrives at the last place, asks once for it, and shows nothing without one', async () => {
  const arrival = document.createElement('span');
  arrival.dataset.arrival = '';
  await openPage();
  document.body.append(arrival);
  const shop = new FakeShop([]);
  const window = { deliverySlot: '01/12/2026 09:00', endTime: '01/12/2026 12:00' };
  shop.answers.set('/pc/common/arrival', { window, parcels: [], pickup: null });
  const { rememberTyped } = await import('../stores/place');
  rememberTyped({ country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' });
  await vi.waitFor(() => expect(arrival.textContent).toMatch(/^by van Tue.* Dec 09:00–12:00$/));
  arrival.textContent = '';
  document.dispatchEvent(new Event('shop:place'));
  await vi.waitFor(() => expect(arrival.textContent).not.toBe(''));
  expect(shop.requests.filter(({ path }) => path === '/pc/common/arrival')).toHaveLength(1);
  localStorage.clear();
  document.dispatchEvent(new Event('shop:place'));
  await vi.waitFor(() => expect(arrival.textContent).toBe(''));
});

it('shows a bin at one, and the add button again when the line is removed', async () => {
  await openPage();
  const cart = await addRice(2);
  const sign = () => find('[data-step="-1"] use')?.getAttribute('href');
  expect(sign()).toBe('#minus');
  cart.change(RICE.goodsId, -1);
  expect(sign()).toBe('#trash-2');
  cart.change(RICE.goodsId, -1);
  expect(find('.stepper')).toBeNull();
  expect(find('.add')?.hidden).toBe(false);
});

it('keeps the focus on the card when its button changes', async () => {
  await openPage();
  find('.add')?.focus();
  const cart = await addRice(1);
  expect(document.activeElement).toBe(find('[data-step="1"]'));
  cart.remove(RICE.goodsId);
  expect(document.activeElement).toBe(find('.add'));
});

it('greets a customer, also one who logs in or out in another tab', async () => {
  await openPage();
  logInAs('mei@example.com');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(find('[data-customer]')?.textContent).toBe('Hi, Mei');
  expect(find('[data-guests-only]')?.hidden).toBe(true);
  localStorage.setItem('nickname', '小梅');
  window.dispatchEvent(new StorageEvent('storage', { key: 'nickname' }));
  expect(find('[data-customer]')?.textContent).toBe('Hi, 小梅');
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(find('[data-customer]')?.textContent).toBe('Sign in');
});

it('resets the card when another tab has emptied the cart', async () => {
  await openPage();
  await addRice(1);
  localStorage.removeItem('shop.cart');
  window.dispatchEvent(new StorageEvent('storage', { key: 'shop.cart' }));
  expect(find('.card--incart')).toBeNull();
  expect(find('.stepper')).toBeNull();
  expect(find('.add')?.hidden).toBe(false);
});

it('shows changes of another tab', async () => {
  await openPage();
  await addRice(1);
  const stored = JSON.parse(localStorage.getItem('shop.cart') ?? '');
  stored.lines[0].goodsAmount = 5;
  localStorage.setItem('shop.cart', JSON.stringify(stored));
  window.dispatchEvent(new StorageEvent('storage', { key: 'shop.cart' }));
  expect(find('[data-cart-count]')?.textContent).toBe('5');
});
