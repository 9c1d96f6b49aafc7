// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

const [RICE, TEA] = [
  makeProduct(1),
  makeProduct(2, { memberPrice: 26.8, isAdvance: '1', goodsStockAmount: 2 }),
];

const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const texts = (selector: string) =>
  [...document.querySelectorAll(selector)].map((place) => place.textContent);

/** Clicks and lets React render. */
async function press(selector: string) {
  find(selector)?.click();
  await vi.advanceTimersByTimeAsync(0);
}

/** Lets what is under way end; countdowns never do. */
const settle = () => vi.advanceTimersByTimeAsync(1000);

const labelled = (label: string) => `[aria-label="${label}"]`;

let shop: FakeShop;

/** Opens the cart page with these products in a guest's cart, the last one first. */
async function openCart(...inCart: [typeof RICE, number][]) {
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  const cart = await import('../stores/cart');
  for (const [product, amount] of inCart) cart.add(product, amount);
  const island = document.createElement('shop-island');
  document.body.append(island);
  const { default: mount } = await import('.');
  await mount(island, { rate: 5 });
  await settle();
  return cart;
}

/** Makes a running promotion, by default of a kind that takes something off several units together. */
function promotionOf(id: number, facts: object = { kind: 'bundle' }) {
  return {
    goodsActionTypeId: id,
    goodsActionTypeName: `活动${id}`,
    goodsActionTypeNameEn: `Promotion ${id}`,
    endTime: '30/11/2036 20:00',
    endTimeIso: '2036-11-30T12:00:00Z',
    ...facts,
  };
}

/** Puts a unit of rice into the cart in each of these promotions. */
async function withPromotions(...ids: number[]) {
  await (await import('../i18n')).loadTexts();
  const promotions = await import('../stores/promotion-cart');
  for (const id of ids) promotions.add({ ...RICE, memberPrice: 2.5, action: promotionOf(id) }, 1);
  return promotions;
}

beforeEach(() => {
  freshBrowser();
  vi.setSystemTime(Date.parse('2026-11-30T12:00:00Z'));
  shop = new FakeShop([RICE, TEA]);
});

describe('the cart page', () => {
  it('links to the shop while the cart is empty', async () => {
    await openCart();
    expect(find('.empty h2')?.textContent).toBe('Your cart is empty');
    expect(find('.empty a')?.getAttribute('href')).toBe('/shop');
    expect(find('.totals')).toBeNull();
  });

  it('shows totals in both currencies, of the checked lines only', async () => {
    await openCart([RICE, 2], [TEA, 1]);
    expect(texts('.line__sum')).toEqual(['A$26.80≈ ¥134.00', 'A$7.80≈ ¥39.00']);
    expect(find('.totals .grand dd')?.textContent).toBe('A$34.60≈ ¥173.00');
    await press('.line input');
    expect(find('.totals .grand dd')?.textContent).toBe('A$7.80≈ ¥39.00');
    expect(find('.pagehead p')?.textContent).toBe('1 of 2 products, 2 units');
  });

  it('prices a product by its units in all carts, the promotion’s too', async () => {
    const tiers = (first: number) => [
      { fromAmount: 1, price: first },
      { fromAmount: 12, price: 3 },
    ];
    const rice = { ...RICE, goodsStockAmount: 20, priceTiers: tiers(3.9) };
    const cart = await openCart();
    const promotions = await import('../stores/promotion-cart');
    promotions.add({ ...rice, memberPrice: 3.5, priceTiers: tiers(3.5), action: promotionOf(7) }, 6);
    cart.add(rice, 5);
    await vi.advanceTimersByTimeAsync(0);
    const total = () => find('.totals .grand dd')?.textContent;
    expect([texts('.line__sum'), total()]).toEqual([['A$21.00≈ ¥105.00', 'A$19.50≈ ¥97.50'], 'Calculating…']);
    cart.setAmount(RICE.goodsId, 6);
    await vi.advanceTimersByTimeAsync(0);
    expect([texts('.line__sum'), texts('.group__foot b'), total()]).toEqual([
      ['A$18.00≈ ¥90.00', 'A$18.00≈ ¥90.00'],
      ['A$18.00', 'A$18.00'],
      'Calculating…',
    ]);
    cart.check(RICE.goodsId, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(texts('.line__sum')).toEqual(['A$21.00≈ ¥105.00', 'A$23.40≈ ¥117.00']);
  });

  it('shows what a promotion takes off and gives as the server shows it', async () => {
    const line = { ...makeProduct(2), goodsAmount: 2, price: 3.9, lineAmount: 3.9, actionTypeId: 7, gst: 0 };
    const reduced = { ...line, discount: 3.9, isGift: false, why: '买1送1', whyEn: 'Buy 1, get 1 free' };
    const gift = { ...line, goodsAmount: 1, discount: 2, lineAmount: 0, isGift: true, why: '', whyEn: '' };
    const sums = { discount: 5.9, orderAmount: 3.9, payAmount: 3.9, freight: null, parcels: [] };
    shop.refuseNext(
      { result: { goods: [reduced, gift], missingForFree: null, gst: 0, ...sums } },
      ({ path }) => path === '/pc/order/preview',
    );
    await withPromotions(7);
    await openCart();
    const rows = () => texts('.totals > div:not(.wraps)');
    await vi.waitFor(() => expect(rows().at(-1)).toBe('Products before deliveryA$3.90≈ ¥19.50'));
    expect(rows().slice(-3, -1)).toEqual(['Discount Buy 1, get 1 free−A$3.90', 'Gift: Product 2 × 1A$0.00']);
  });

  it('shows what a lower price saves on each line and on the checked ones together', async () => {
    const promotions = await withPromotions();
    const action = promotionOf(7, { kind: 'price' });
    promotions.add({ ...RICE, memberPrice: 3.5, wasPrice: 3.9, action }, 2);
    promotions.add({ ...makeProduct(3), memberPrice: 3, wasPrice: 5, action }, 3);
    promotions.add({ ...makeProduct(4), memberPrice: 3, wasPrice: null, action }, 1);
    await openCart();
    expect(texts('.line__meta s')).toEqual(['was A$5.00', 'was A$3.90']);
    expect(texts('.group__saved')).toEqual(['You save A$6.80']);
    promotions.check(7, 3, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(texts('.group__saved')).toEqual(['You save A$0.80']);
    promotions.check(7, RICE.goodsId, false);
    await vi.advanceTimersByTimeAsync(0);
    expect(find('.group__saved')).toBeNull();
  });

  it.each([
    [1, undefined],
    [2, 'Add 2 more to get 2 free.'],
    [3, 'Add 1 more to get 2 free.'],
    [4, undefined],
    [7, 'Add 1 more to get 2 free.'],
    // As many as there are.
    [10, undefined],
  ])('shows of %i units in "buy 2, get 2 free" how many more are free', async (amount, hint) => {
    const promotions = await withPromotions();
    const action = promotionOf(7, { kind: 'buy_get', buyUnits: 2, freeUnits: 2 });
    promotions.add({ ...RICE, goodsStockAmount: 10, action }, amount);
    await openCart();
    expect(find('.line__hint')?.textContent).toBe(hint);
  });

  it('drops a promotion that an editor has ended before its time, and shows which', async () => {
    const promotions = await withPromotions(7);
    shop.refuseNext(
      { code: 1002, reason: 'parameter_error', msg: '参数错误', fields: { actionTypeId: 'parameter_error' } },
      ({ path }) => path === '/pc/order/preview',
    );
    await openCart();
    await vi.waitFor(() => expect(promotions.count.value).toBe(0));
    expect(texts('[aria-label="Changes to your cart"] p')).toEqual([
      'Promotion 7 has ended. Removed from your cart: Product 1',
    ]);
  });

  it('shows why what is selected cannot be ordered', async () => {
    shop.refuseNext(
      { code: 1, reason: 'stock_insufficient', msg: '库存不足，请选择其他门店' },
      ({ path }) => path === '/pc/order/preview',
    );
    await openCart([RICE, 1]);
    await vi.waitFor(() =>
      expect(find('aside .notice')?.textContent).toContain('Stock is insufficient, or choose another store'),
    );
  });

  it('shows pack, price and unit price of a line in the page’s language', async () => {
    await openCart([RICE, 1]);
    expect(find('.line__meta')?.textContent).toBe('500 g · A$3.90 · A$7.80 / kg');
    document.documentElement.lang = 'zh-Hans';
    const { packOf, unitPriceOf } = await import('./unit-price');
    expect(packOf(RICE)).toBe('500 克');
    expect(unitPriceOf({ memberPrice: 3.9, unitPrice: null, unitPriceMeasure: null }, 390)).toBe('');
    expect(packOf({ netWeight: 1500 })).toBe('1.5 kg');
  });

  it('checks all or none with one box, and offers to check out all at none', async () => {
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await openCart([RICE, 1], [TEA, 1]);
    const all = find('.group__head input') as HTMLInputElement;
    expect([all.checked, all.indeterminate]).toEqual([true, false]);
    await press('.line input');
    expect([all.checked, all.indeterminate]).toEqual([false, true]);
    await press('.group__head input');
    expect(find('aside .btn')?.textContent).toBe('Check out 2 units');
    await press('.group__head input');
    expect(find('.totals .grand dd')?.textContent).toBe('A$0.00≈ ¥0.00');
    expect(find('aside .btn')?.textContent).toBe('Select all and check out');
    await press('aside .btn');
    await vi.runAllTimersAsync();
    expect(find('.pagehead p')?.textContent).toBe('2 of 2 products, 2 units');
    expect(leave).toHaveBeenCalledOnce();
  });

  it('shows why nothing can be checked out', async () => {
    await openCart([makeProduct(77), 1]);
    expect(find('aside .btn')?.getAttribute('aria-disabled')).toBe('true');
    expect(find('aside .btn + span')?.textContent).toBe('Nothing in your cart can be bought right now');
  });

  it('selects all, and stays where an order would have two promotions', async () => {
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
    const promotions = await withPromotions(7, 8);
    await openCart([RICE, 1]);
    for (const id of [7, 8]) promotions.checkAll(id, false);
    (await import('../stores/cart')).checkAll(false);
    await vi.advanceTimersByTimeAsync(0);
    await press('aside .btn');
    await settle();
    expect(leave).not.toHaveBeenCalled();
    expect(find('aside .notice p')?.textContent).toBe(
      'Multiple promotions cannot be ordered at the same order.',
    );
    expect(find('aside button.btn--lg')?.getAttribute('aria-disabled')).toBe('true');
    // No order has the sum of both.
    expect(find('.totals .grand dd')?.textContent).toBe('—');
  });

  it('empties every cart once that is confirmed, and moves the focus to the title', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 2);
    await withPromotions(7);
    const cart = await openCart();
    await press('.pagehead button');
    expect(find('dialog p')?.textContent).toBe('All 5 units will be removed, whether selected or not.');
    // Enter must not clear it.
    expect(document.activeElement).toBe(find('dialog h2'));
    await press('dialog .btn--line');
    expect([find('dialog'), cart.count.value, shop.writes]).toEqual([null, 2, []]);
    await press('.pagehead button');
    await press('dialog .btn');
    await settle();
    expect(shop.writes).toEqual([
      'DELETE /pc/shoppingCart?type=DirectMailCart',
      'DELETE /pc/shoppingCart?type=BulkCart',
    ]);
    expect([...shop.amounts]).toEqual([]);
    expect(find('.empty')).not.toBeNull();
    expect(document.activeElement).toBe(find('h1'));
    for (const key of ['cart', 'bulkCart', 'promotionCart'])
      expect(localStorage.getItem(`shop.${key}`)).toBeNull();
    const { toasts } = await import('../ui/toast');
    expect(toasts.value.map((toast) => toast.text)).toContain('Cart cleared successfully');
  });

  it('shows which promotion has ended until it is dismissed, and sells its products without it', async () => {
    const promotions = await withPromotions(7, 8);
    await openCart();
    vi.setSystemTime(Date.parse('2036-11-30T12:00:00Z'));
    await vi.advanceTimersByTimeAsync(2000);
    expect(promotions.count.value).toBe(0);
    const notices = () => texts('[aria-label="Changes to your cart"] p');
    expect(notices()).toEqual([
      'Promotion 8 has ended. Removed from your cart: Product 1',
      'Promotion 7 has ended. Removed from your cart: Product 1',
    ]);
    await press(`section ${labelled('Dismiss')}`);
    expect(notices()).toHaveLength(1);
    expect(document.activeElement).toBe(find('h1'));
    await press('section .btn--line');
    await settle();
    expect(notices()).toEqual([]);
    expect(find('.group:not(.group--promo) .line__sum')?.textContent).toContain('A$3.90');
  });

  it('shows what left the shelves with the promotion that has ended', async () => {
    await withPromotions(7);
    await openCart();
    shop.products.splice(0);
    vi.setSystemTime(Date.parse('2036-11-30T12:00:00Z'));
    await vi.advanceTimersByTimeAsync(2000);
    await press('section .btn--line');
    await settle();
    expect(texts('section p')).toEqual(['No longer available and removed from your cart: Product 1']);
  });

  it('limits the amount to what can be bought, and shows why under the line', async () => {
    await openCart([TEA, 1]);
    await press(labelled('One more'));
    expect(find('.line output')?.textContent).toBe('2');
    expect(find(labelled('One more'))?.hasAttribute('disabled')).toBe(true);
    expect(find('.line__msg')?.textContent).toBe('Advance order: only 2 available');
  });

  it('removes a line and moves the focus to the next one', async () => {
    await openCart([RICE, 1], [TEA, 2]);
    await press(labelled('Remove: Product 2'));
    expect(texts('.line__name')).toEqual(['Product 1']);
    expect(document.activeElement?.textContent).toBe('Product 1');
    await press(labelled('Remove: Product 1'));
    expect(find('.empty')).not.toBeNull();
  });

  it('shows the price once where the unit price is that of one', async () => {
    const pear = makeProduct(6, {
      memberPrice: 3.49,
      unitPrice: 3.49,
      unitPriceMeasure: 'each',
      pack: '1 each',
    });
    shop.products.push(pear);
    await openCart([pear, 2]);
    expect(find('.line__meta')?.textContent).toBe('1 each · A$3.49 each');
  });

  it('lets a product that is no longer for sale be removed but not checked out', async () => {
    await openCart([makeProduct(77), 1], [RICE, 1]);
    const gone = find('.line--off');
    expect(gone?.querySelector('input')?.disabled).toBe(true);
    expect(gone?.querySelector('.stepper')).toBeNull();
    expect(gone?.querySelector('.line__msg')?.textContent).toBe('This product is no longer available.');
    expect(find('.totals .grand dd')?.textContent).toContain('A$3.90');
  });

  it('takes a guest to delivery', async () => {
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await openCart([RICE, 1]);
    await press('aside .btn');
    await vi.runAllTimersAsync();
    expect(leave).toHaveBeenCalledExactlyOnceWith('/home/createOrder/delivery');
  });

  it('leaves for the checkout once, and again after Back', async () => {
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await openCart([RICE, 1]);
    await press('aside .btn');
    await press('aside .btn');
    expect(leave).toHaveBeenCalledOnce();
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    await vi.advanceTimersByTimeAsync(0);
    await press('aside .btn');
    expect(leave).toHaveBeenCalledTimes(2);
  });

  it('marks the totals as busy until the server has confirmed, and goes to delivery only then', async () => {
    logInAs('mei@example.com');
    shop.amounts.set(1, 1);
    shop.delay = 50;
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await openCart();
    await press('.line input');
    await press(labelled('One more'));
    expect(find('.totals')?.getAttribute('aria-busy')).toBe('true');
    await press('aside .btn');
    expect(leave).not.toHaveBeenCalled();
    await vi.runAllTimersAsync();
    expect(shop.writes).toEqual(['PUT 1:2']);
    expect(leave).toHaveBeenCalledExactlyOnceWith('/home/createOrder/delivery');
    expect(find('.totals')?.getAttribute('aria-busy')).toBe('false');
  });

  it('shows Chinese texts and links on a Chinese page', async () => {
    document.documentElement.lang = 'zh-Hans';
    await openCart([RICE, 1]);
    expect(find('h1')?.textContent).toBe('购物车');
    expect(find('.line__name')?.textContent).toBe('商品1');
    expect(find('.line__name')?.getAttribute('href')).toBe('/zh-hans/shop/shopdetails/1');
  });
});

describe('the freight estimate', () => {
  const PERTH = { country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' };
  const PREVIEW = '/pc/order/preview';
  const isFreight = ({ path, body }: { path: string; body: unknown }) =>
    path === PREVIEW && 'address' in (body as object);
  const row = () => find('.totals .wraps')?.textContent?.replace('Fees and times', '');
  const openIn = async (place: typeof PERTH, ...inCart: [typeof RICE, number][]) => {
    (await import('../stores/place')).rememberTyped(place);
    return openCart(...inCart);
  };
  const seen = (text: string) => vi.waitFor(() => expect(row()).toBe(text));

  it('is for the last place, with what is missing until each parcel is free, and part of the total', async () => {
    const freeFrom = (...missing: number[]) =>
      missing.map((each, index) => ({
        storage: ['ambient', 'frozen'][index],
        amount: 80 + 20 * index,
        missing: each,
        saved: 9.9 + index,
      }));
    const total = () => find('.grand')?.textContent;
    const parcels = [{ storage: 'ambient', daysFrom: 1, daysTo: 3 }];
    shop.answers.set('/pc/common/arrival', { window: null, parcels, pickup: null });
    shop.answers.set(PREVIEW, { freight: 20.8, orderAmount: 7.8, freeFrom: freeFrom(12.4, 32.4) });
    const cart = await openIn(PERTH, [RICE, 2]);
    await seen(
      'Delivery (estimate)A$20.80Delivery to Perth WA 6000Change' +
        'Arrives 1–3 working days after payment' +
        'A$12.40 more: room-temperature parcel free, saves A$9.90' +
        'A$32.40 more: frozen parcel free, saves A$10.90',
    );
    expect(total()).toBe('Total with deliveryA$28.60≈ ¥143.00');
    shop.answers.set(PREVIEW, { freight: 10.9, orderAmount: 15.6, freeFrom: freeFrom(0, 24.6) });
    cart.change(1, 1);
    cart.change(1, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(total()).toBe('Total with deliveryA$36.40≈ ¥182.00');
    await seen(
      'Delivery (estimate)A$10.90Delivery to Perth WA 6000Change' +
        'Arrives 1–3 working days after payment' +
        'room-temperature parcel: free deliveryA$24.60 more: frozen parcel free, saves A$10.90',
    );
    expect(total()).toBe('Total with deliveryA$26.50≈ ¥132.50');
    const asked = shop.requests.filter(isFreight).map(({ body }) => body);
    expect(asked).toMatchObject([{ orderGoods: [{ goodsAmount: 2 }] }, { orderGoods: [{ goodsAmount: 4 }] }]);
  });

  it('offers products that close a small gap, without those in the cart', async () => {
    const gap = { storage: 'ambient', amount: 80, missing: 6.2, saved: 9.9 };
    shop.answers.set(PREVIEW, { freight: 9.9, orderAmount: 7.8, freeFrom: [gap] });
    const list = [RICE, makeProduct(8, { memberPrice: 6.5 }), makeProduct(9, { minAmount: 6 })];
    shop.answers.set('/pc/goods/list', { list });
    await openIn(PERTH, [RICE, 2]);
    const names = () => [...document.querySelectorAll('.close-gap a')].map((link) => link.textContent);
    await vi.waitFor(() => expect(names()).toEqual(['Product 8']));
    const asked = shop.requests.find(({ path }) => path === '/pc/goods/list')?.body;
    expect(asked).toMatchObject({ storage: 'ambient', stockType: '1', minPrice: 6.2, maxPrice: 12.3 });
    await press('.close-gap button');
    await vi.waitFor(() => expect(names()).toEqual([]));
  });

  it.each([
    ['refuses', { code: 1002, reason: 'address_error' }],
    ['cannot be reached', 'offline' as const],
    ['names no free-from amount', null],
  ])('is quiet where the shop %s', async (_what, answer) => {
    if (answer) shop.refuseNext(answer, isFreight);
    shop.answers.set(PREVIEW, { freight: 9.9 });
    await openIn(PERTH, [RICE, 1]);
    const known = answer === null;
    await vi.runAllTimersAsync();
    await seen(`Delivery (estimate)${known ? 'A$9.90' : 'Not available yet'}Delivery to Perth WA 6000Change`);
    expect(find('[role=alert]')).toBeNull();
  });

  it('shows why the shop sends nothing to the last place', async () => {
    const whyEn = 'Nothing frozen is sent there.';
    shop.refuseNext({ code: 1002, reason: 'address_error', msg: '地址错误', whyEn }, isFreight);
    const cart = await openIn(PERTH, [RICE, 1]);
    await seen(`Delivery (estimate)We don’t deliver thereDelivery to Perth WA 6000Change${whyEn}`);
    shop.answers.set(PREVIEW, { freight: 9.9 });
    cart.change(1, 1);
    await seen('Delivery (estimate)A$9.90Delivery to Perth WA 6000Change');
  });

  it('is asked for a place that is typed, and shows that nothing is selected', async () => {
    vi.doMock('../addresses/regions', async (original) => ({
      ...(await original<object>()),
      loadCountries: async () => [],
    }));
    vi.doMock('../addresses/suburbs', async (original) => ({
      ...(await original<object>()),
      loadSuburbs: async () => [{ suburb: 'Perth', state: 'WA', postcode: '6000', council: '' }],
    }));
    await openCart([RICE, 1]);
    expect(row()).toBe('DeliveryShown at the delivery stepEstimate delivery');
    await import('../addresses/PlaceForm');
    await press('.line input');
    await press('.totals .link');
    await vi.waitFor(() => expect(find('#place')).not.toBeNull());
    await press('.totals [type=submit]');
    expect(find('.totals .error')?.textContent).toBe('Freight acquisition failed: Address is Empty');

    const field = find('#place') as HTMLInputElement;
    async function ask(text: string) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await vi.advanceTimersByTimeAsync(0);
      await press('.totals [type=submit]');
    }
    await ask('Nowhere');
    const unknown = 'Choose a suburb from the list, or enter a postcode';
    await vi.waitFor(() => expect(find('.totals .error')?.textContent).toBe(unknown));
    await ask('6000');
    await vi.waitFor(() => expect(find('#place')).toBeNull());
    expect(find('[role=alert]')?.textContent).toBe('Freight acquisition failed: No item selected is Empty');
    expect(document.activeElement?.textContent).toBe('Change');
    expect(shop.requests.filter(isFreight)).toEqual([]);
    await press('.line input');
    expect(find('[role=alert]')).toBeNull();
  });
});

describe('the drawer', () => {
  it('has in its total what the server takes off for a promotion, which it asks once with the cart page', async () => {
    const isPreview = ({ path }: { path: string }) => path === '/pc/order/preview';
    const sums = { orderAmount: 1.5, payAmount: 1.5, discount: 2.4, gst: 0 };
    const result = { goods: [], freight: null, parcels: [], missingForFree: null, ...sums };
    const promotions = await withPromotions(7);
    await openCart();
    const header = document.createElement('shop-island');
    header.innerHTML = '<a href="/home/cart">Cart</a>';
    document.body.append(header);
    const { default: mount } = await import('../cart-drawer');
    await mount(header, { rate: 5 });
    const asked = () => shop.requests.filter(isPreview).length;
    const totals = () => texts('.grand dd');
    expect(asked()).toBe(1);
    header.querySelector('a')?.click();
    await settle();
    shop.refuseNext({ result }, isPreview);
    promotions.change(7, RICE.goodsId, 1);
    await vi.waitFor(() => expect(totals()).toEqual(['Calculating…', 'Calculating…']));
    await vi.waitFor(() => expect(totals()).toEqual(['A$1.50≈ ¥7.50', 'A$1.50≈ ¥7.50']));
    expect(asked()).toBe(3);
  });
});
