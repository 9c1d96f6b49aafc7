import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

const RICE = makeProduct(1, { goodsStockAmount: 6 });

const find = <E extends HTMLElement = HTMLElement>(selector: string) =>
  document.querySelector<E>(selector) as E;

let shop: FakeShop;

async function openPage(amount = 2) {
  document.body.innerHTML = `
    <form id="to-cart" action="/home/cart"></form>
    <article class="card"><div class="card__add"><button class="add" form="to-cart">Add</button></div></article>
    <form data-buy>
      <button type="button" data-step="-1" id="less"></button>
      <input name="goodsAmount" value="${amount}">
      <button type="button" data-step="1" id="more"></button>
      <button id="add">Add to cart</button><button id="now" value="now">Buy now</button>
    </form>`;
  for (const holder of ['.card', '[data-buy]']) find(holder).dataset.product = JSON.stringify(RICE);
  const { default: start } = await import('.');
  await start();
  return import('../stores/cart');
}

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE]);
});

it('adds one unit from a card', async () => {
  const cart = await openPage();
  find('.add').click();
  expect(cart.lines.value.map((line) => [line.goodsId, line.goodsAmount, line.checked])).toEqual([
    [1, 1, true],
  ]);
  expect(find('.toast').textContent).toBe('Added to the cart successfully: Product 1');
});

it("changes the form's amount within the limits, and adds that many", async () => {
  const cart = await openPage();
  const field = find<HTMLInputElement>('input');
  for (let press = 0; press < 9; press++) find('#more').click();
  expect(field.value).toBe('6');
  for (let press = 0; press < 9; press++) find('#less').click();
  expect(field.value).toBe('1');
  field.value = '4';
  find('#add').click();
  expect(cart.count.value).toBe(4);
});

it('shows immediately that fewer are there than were typed before its script came', async () => {
  await openPage(99);
  expect(find<HTMLInputElement>('input').value).toBe('6');
  expect(find('.buy__note').textContent).toBe('Only 6 available');
});

it('replaces an invalid amount by the minimum', async () => {
  const cart = await openPage();
  find<HTMLInputElement>('input').value = 'many';
  find('#add').click();
  expect(cart.count.value).toBe(1);
});

it('takes a customer who buys now to delivery with nothing else checked, once it is saved', async () => {
  logInAs('mei@example.com');
  shop.amounts.set(1, 5);
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const cart = await openPage();
  await vi.runAllTimersAsync();
  find('#now').click();
  await vi.runAllTimersAsync();
  expect(shop.writes).toEqual(['PUT 1:2']);
  expect(cart.checked.value.map((line) => [line.goodsId, line.goodsAmount])).toEqual([[1, 2]]);
  expect(leave).toHaveBeenCalledExactlyOnceWith('/home/createOrder/delivery');
});

it('takes a guest who buys now to delivery', async () => {
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
  await openPage();
  find('#now').click();
  await vi.runAllTimersAsync();
  expect(leave).toHaveBeenCalledExactlyOnceWith('/home/createOrder/delivery');
});

it('shows the amount that can be bought where more was typed, and never calls it a success', async () => {
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const cart = await openPage();
  const field = find<HTMLInputElement>('input');
  const type = (text: string) => {
    field.value = text;
    field.dispatchEvent(new Event('change', { bubbles: true }));
  };
  type('500');
  expect([field.value, find('.buy__note').textContent]).toEqual(['6', 'Only 6 available']);
  find('#now').click();
  await vi.runAllTimersAsync();
  expect([leave.mock.calls.length, cart.count.value, document.activeElement]).toEqual([0, 0, field]);
  // Before the script was there no code heard of a change.
  field.value = '500';
  find('#add').click();
  expect([cart.count.value, field.value, find('.buy__note').textContent]).toEqual([
    6,
    '6',
    'Only 6 available',
  ]);
  expect([...document.querySelectorAll('.toast')].map((toast) => toast.textContent)).toEqual([
    'Product 1: Only 6 available. Your cart has as many as you can buy.',
  ]);
  type('2');
  expect(document.querySelector('.buy__note')).toBeNull();
  find('#add').click();
  expect([cart.count.value, find('.buy__note').textContent]).toEqual([6, 'Only 6 available']);
});

it('states that a second promotion needs another order, and offers the ordinary price', async () => {
  const cart = await openPage();
  const promotions = await import('../stores/promotion-cart');
  const { toasts } = await import('../ui/toast');
  const offer = (goodsActionTypeId: number) => ({
    ...makeProduct(goodsActionTypeId, { memberPrice: 3 }),
    wasPrice: 5,
    action: {
      goodsActionTypeId,
      goodsActionTypeName: '活动',
      goodsActionTypeNameEn: `Offer ${goodsActionTypeId}`,
      endTime: '01/01/2999 00:00',
      endTimeIso: '2999-01-01T00:00:00Z',
    },
  });
  for (const id of [7, 8]) {
    find('.card').dataset.product = JSON.stringify(offer(id));
    find('.add').click();
    await vi.dynamicImportSettled();
  }
  await vi.waitFor(() => expect(toasts.value.some(({ action }) => action)).toBe(true));
  const toast = toasts.value.find(({ action }) => action);
  expect([toast?.text.includes('“Offer 8”'), toast?.action?.label]).toEqual([
    true,
    'Take it at A$5.00 instead',
  ]);
  toast?.action?.act();
  expect(promotions.groups.value.map((group) => group.goodsActionTypeId)).toEqual([7]);
  expect(cart.lines.value.map((line) => [line.goodsId, line.memberPrice])).toEqual([[8, 5]]);
});
