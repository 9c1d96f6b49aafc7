// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

vi.mock('../addresses/regions', async (original) => ({
  ...(await original<object>()),
  loadCountries: async () => [],
}));
vi.mock('../addresses/suburbs', async (original) => ({
  ...(await original<object>()),
  loadSuburbs: async () => [{ suburb: 'Northbridge', state: 'WA', postcode: '6003', council: '' }],
}));

const RICE = makeProduct(1);
const SAUCE = makeProduct(2, { memberPrice: 3.33 });
const WALLET_TYPE = {
  payType: '0',
  payCode: 'PreDeposit',
  payName: '钱包',
  payNameEn: 'Wallet',
  payHint: '',
  payHintEn: '',
  img: '/x.webp',
};
const NOON = Date.parse('2026-11-30T12:00:00Z');
const WEEKEND = {
  goodsActionTypeId: 7,
  goodsActionTypeName: '周末',
  goodsActionTypeNameEn: 'Weekend',
  endTime: '30/11/2026 20:00',
  endTimeIso: new Date(NOON + 3_600_000).toISOString(),
};

const find = <E extends Element>(selector: string) => document.querySelector<E>(selector);
const labelled = (label: string) => {
  const found = [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith(label));
  return (found?.htmlFor ? document.getElementById(found.htmlFor) : found?.querySelector('input')) as
    | HTMLInputElement
    | undefined;
};
const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Waits for a field of a part that is loaded later; on a busy machine that takes its time. */
const wait = (label: string) => vi.waitFor(() => expect(labelled(label)).toBeTruthy(), 10_000);

/** Types as a browser does: React hears of a value only where its own setter was not called. */
async function type(label: string, text: string) {
  await wait(label);
  const field = labelled(label);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field?.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(field?.getAttribute('value')).toBe(text));
}

async function choose(value: 'delivery' | 'pickup') {
  const radios = document.querySelectorAll<HTMLInputElement>('input[name=shippingType]');
  radios[value === 'delivery' ? 0 : 1]?.click();
  await vi.advanceTimersByTimeAsync(0);
}

let shop: FakeShop;

async function open(step: 'delivery' | 'payType') {
  const island = document.createElement('shop-island');
  document.body.append(island);
  const { default: mount } = await import('.');
  await mount(island, { step, rate: 5, pointsPerDollar: 100, idCardDays: 90 });
  await vi.advanceTimersByTimeAsync(1000);
}

beforeEach(async () => {
  freshBrowser();
  vi.setSystemTime(NOON);
  shop = new FakeShop([RICE, SAUCE]);
  logInAs('mei@example.com');
  shop.refuseNext({ result: { list: [] } }, ({ path }) => path === '/pc/setting/deliveryAddressNew');
  const { loadTexts } = await import('../i18n');
  await loadTexts();
});

describe('the delivery step of a customer without addresses', () => {
  beforeEach(async () => {
    const promotions = await import('../stores/promotion-cart');
    promotions.put({ ...SAUCE, action: WEEKEND }, 2);
    await open('delivery');
    await vi.waitFor(() => expect(labelled('Recipient’s full name')).toBeDefined());
    shop.refuseNext({ result: [] }, ({ path }) => path.startsWith('/pc/shops'));
  });

  it('keeps a half-typed address while pick-up is looked at', async () => {
    await type('Recipient’s full name', 'Jia');
    await choose('pickup');
    expect(find<HTMLElement>('form.panel')?.closest('[hidden]')).not.toBeNull();
    await choose('delivery');
    expect(find('form.panel')?.closest('[hidden]')).toBeNull();
    expect(labelled('Recipient’s full name')?.value).toBe('Jia');
  });

  it('asks before a half-typed address is left, but not for pick-up or where nothing was typed', async () => {
    expect(leave()).toBe(true);
    await type('Recipient’s full name', 'Jia');
    expect(leave()).toBe(false);
    await choose('pickup');
    expect(leave()).toBe(true);
    await choose('delivery');
    await type('Recipient’s full name', '');
    expect(leave()).toBe(true);
  });

  it('asks nothing when it goes with its customer', async () => {
    vi.spyOn(location, 'reload').mockImplementation(() => {});
    await type('Recipient’s full name', 'Jia');
    localStorage.removeItem('token');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(leave()).toBe(true);
  });
});

it('opens the payment step once the delivery step was left for it', async () => {
  const go = vi.spyOn(location, 'replace').mockImplementation(() => {});
  const cart = await import('../stores/cart');
  cart.add(RICE, 1);
  const checkout = await import('../stores/checkout');
  checkout.startDraft(cart.checked.value);
  checkout.chooseDelivery('pickup');
  checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '01/12/2026 10:00' });
  await vi.waitFor(() => expect(checkout.readyToPay.value).toBe(true));
  await open('payType');
  expect(go).toHaveBeenCalledExactlyOnceWith('/home/createOrder/delivery');
  document.body.replaceChildren();
  checkout.goToPayment();
  shop.refuseNext({ result: [] }, ({ path }) => path.startsWith('/pc/payTypes'));
  await open('payType');
  expect(go).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(find('h1')?.textContent).toBe('How would you like to pay?'));
});

it('shows what is left to pay of an order of which a part is paid', async () => {
  const checkout = await import('../stores/checkout');
  (await import('../stores/cart')).add(RICE, 1);
  checkout.startDraft((await import('../stores/cart')).checked.value);
  shop.answers.set('/pc/toTrade', { transactionCode: 'T1' });
  shop.answers.set('/pc/order', { orderNo: 'S1A', orderAmount: 3.9, payAmount: 3.9, freight: 0 });
  shop.answers.set('/pc/payTypes', [{ payType: '5', payCode: 'x', payName: 'x', img: '/x.webp' }]);
  shop.answers.set('/pc/pay/result/S1A', { paid: false, leftToPay: 2.9, walletHeld: 1 });
  shop.refuseNext({ code: 1, reason: 'too_frequent' }, ({ path }) => path === '/pc/order/pay');
  checkout.chooseDelivery('pickup');
  checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '01/12/2026 10:00' });
  await vi.waitFor(() => expect(checkout.readyToPay.value).toBe(true));
  const paying = checkout.placeAndPay('5', '888888', undefined, 100);
  await vi.advanceTimersByTimeAsync(1000);
  await paying;
  expect(shop.requests.find(({ path }) => path === '/pc/order/pay')?.body).toMatchObject({ walletAmount: 1 });
  await open('payType');
  const step = () => find('.co-step')?.textContent;
  await vi.waitFor(() => expect(step()).toContain('Already paid−A$1.00Left to payA$2.90'));
  await vi.waitFor(() => expect(find('.actions .btn--lg')?.textContent).toBe('Pay A$2.90'));
});

it('shows that the order is placed where its pay password is wrong, and links to it', async () => {
  const checkout = await import('../stores/checkout');
  (await import('../stores/cart')).add(RICE, 1);
  checkout.startDraft((await import('../stores/cart')).checked.value);
  shop.answers.set('/pc/toTrade', { transactionCode: 'T1' });
  shop.answers.set('/pc/order', { orderNo: 'S1A', orderAmount: 3.9, payAmount: 3.9, freight: 0 });
  shop.answers.set('/pc/payTypes', [WALLET_TYPE]);
  const wrong = { code: 1, reason: 'password_wrong', fields: { password: 'password_wrong' } };
  shop.refuseNext(wrong, ({ path }) => path === '/pc/order/pay');
  checkout.chooseDelivery('pickup');
  checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '01/12/2026 10:00' });
  await vi.waitFor(() => expect(checkout.readyToPay.value).toBe(true));
  checkout.goToPayment();
  await open('payType');
  void checkout.placeAndPay('0', '000000');
  const note = () => find('.co-step .notice--warn');
  await vi.waitFor(() =>
    expect(note()?.textContent).toContain(
      'Order S1A is placed but not paid yet. Try again here, or pay later from the order’s page.',
    ),
  );
  expect(note()?.querySelector('a')?.getAttribute('href')).toBe('/home/account/orderdetails/S1A');
  expect(find('#pay-password-error')?.textContent).not.toBe('');
});

describe('the payment of an order to China', () => {
  const ID_CARD = 'Recipient’s ID card number';
  const orders = () => shop.requests.filter(({ path }) => path === '/pc/order');
  const pay = () => [...document.querySelectorAll<HTMLElement>('.actions button')].at(-1)?.click();

  beforeEach(async () => {
    shop.answers.set('/pc/order/preview', { freight: 14.9 });
    shop.answers.set('/pc/payTypes', [{ ...WALLET_TYPE, payType: '1' }]);
    shop.answers.set('/pc/toTrade', { transactionCode: 'T1' });
    const checkout = await import('../stores/checkout');
    const { emptyAddress } = await import('../stores/address');
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    document.body.replaceChildren();
    const recipient = { addressee: 'Jia', phone: '+8613800138000', addressDetails: '1 Nanjing Road' };
    const shanghai = { country: 'China', cityName: ['上海市', '黄浦区'] };
    checkout.chooseAddress({ ...emptyAddress(), ...recipient, ...shanghai, addressId: 5 });
    checkout.chooseDelivery('delivery');
    await vi.waitFor(() => expect(checkout.readyToPay.value).toBe(true));
    checkout.goToPayment();
    await open('payType');
    await vi.waitFor(() => expect(labelled(ID_CARD)).toBeDefined());
  });

  it('asks for the ID card of the recipient first', async () => {
    await type(ID_CARD, '11010519491231002');
    pay();
    await vi.waitFor(() => expect(labelled(ID_CARD)?.getAttribute('aria-invalid')).toBe('true'));
    expect(document.activeElement).toBe(labelled(ID_CARD));
    expect(orders()).toEqual([]);
  });

  it('sends it and stores it nowhere in the browser', async () => {
    await type(ID_CARD, '11010519491231002X');
    pay();
    await vi.waitFor(() => expect(orders()).toHaveLength(1));
    expect(orders()[0]?.body).toMatchObject({ idCard: '11010519491231002X', shippingType: 1 });
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('1101051949');
  });

  it('shows at the field that the shop refuses it', async () => {
    const answer = { code: 1, reason: 'id_card_error', fields: { idCard: 'id_card_error' } };
    shop.refuseNext(answer, ({ path }) => path === '/pc/order');
    await type(ID_CARD, '11010519491231002X');
    pay();
    await vi.waitFor(() => expect(find('#id-card-error')?.textContent).toBe('ID card information error'));
    expect(find('.notice--danger')).toBeNull();
  });
});

describe('the summary', () => {
  it('names the products of a promotion apart', async () => {
    const promotions = await import('../stores/promotion-cart');
    promotions.put({ ...SAUCE, action: WEEKEND }, 2);
    const cart = await import('../stores/cart');
    await vi.advanceTimersByTimeAsync(1000);
    cart.add(RICE, 1);
    await vi.advanceTimersByTimeAsync(1000);
    await open('delivery');
    const rows = [...document.querySelectorAll('.totals > div')].map((row) => row.textContent);
    expect(rows.slice(0, 2)).toEqual(['Everyday products, 1 unitA$3.90', 'Weekend, 2 unitsA$6.66']);
  });

  it('has no other row of products where all are of a promotion', async () => {
    const promotions = await import('../stores/promotion-cart');
    promotions.put({ ...SAUCE, action: WEEKEND }, 2);
    await open('delivery');
    expect(find('.totals dt')?.textContent).toBe('Weekend, 2 units');
  });
});

describe('a voucher', () => {
  it('that makes the order dearer is used only if the customer wants it, who sees both amounts', async () => {
    logInAs('token');
    (await import('../stores/cart')).add(RICE, 1);
    const checkout = await import('../stores/checkout');
    await open('delivery');
    shop.answers.set('/pc/shops', []);
    checkout.chooseDelivery('pickup');
    await vi.waitFor(() => expect(checkout.grandTotal.value).toBe(390));
    shop.freightWithVoucher = 9.9;
    await type('Voucher code', 'ten');
    labelled('Voucher code')?.form?.requestSubmit();
    const text = 'With this voucher you pay A$13.80, without it A$3.90';
    await vi.waitFor(() => expect(find('.co-aside')?.textContent).toContain(text));
    expect(checkout.draft.value.voucherCode).toBe('');
    expect(checkout.grandTotal.value).toBe(390);
    [...document.querySelectorAll('button')]
      .find(({ textContent }) => textContent === 'Use it anyway')
      ?.click();
    await vi.waitFor(() => expect(find('.co-aside')?.textContent).toContain('Voucher TEN applied'));
    expect(find('.co-aside')?.textContent).toContain(text);
    expect(checkout.grandTotal.value).toBe(1380);
  });

  it('and what an order has are shown with the gifts that are left out', async () => {
    logInAs('token');
    (await import('../stores/cart')).add(RICE, 1);
    shop.giftsLeftOut = [{ goodsId: 9, goodsName: '豆腐', goodsEnglishName: 'Tofu' }];
    await open('delivery');
    await vi.waitFor(() => expect(find('.co-aside')?.textContent).toContain('and is left out: Tofu'));
  });

  it('moves the focus to what takes the place of what was pressed', async () => {
    logInAs('token');
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    await type('Voucher code', 'ten');
    labelled('Voucher code')?.form?.requestSubmit();
    await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Remove'));
    expect(find('.co-aside [role=status]')?.textContent).toContain('Voucher TEN applied');
    (document.activeElement as HTMLElement).click();
    await vi.waitFor(() => expect(document.activeElement).toBe(labelled('Voucher code')));
  });

  it('is used as its field is left too, and keeps the focus where it went', async () => {
    logInAs('token');
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    labelled('Voucher code')?.focus();
    await type('Voucher code', 'ten');
    const note = find('textarea') as HTMLTextAreaElement;
    note.focus();
    await vi.waitFor(() =>
      expect(find('.co-aside [role=status]')?.textContent).toContain('Voucher TEN applied'),
    );
    expect(document.activeElement).toBe(note);
  });

  it('is used also if its field is left while the order is summed up', async () => {
    logInAs('token');
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    labelled('Voucher code')?.focus();
    await type('Voucher code', 'ten');
    const { applyPoints, summing } = await import('../stores/checkout');
    shop.delay = 1000;
    void applyPoints(0);
    await vi.advanceTimersByTimeAsync(100);
    expect(summing.value).toBe(true);
    (find('textarea') as HTMLTextAreaElement).focus();
    await vi.advanceTimersByTimeAsync(3000);
    await vi.waitFor(() =>
      expect(find('.co-aside [role=status]')?.textContent).toContain('Voucher TEN applied'),
    );
  });

  it('that is refused is not tried again until another one is typed', async () => {
    logInAs('token');
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    const asked = () =>
      shop.requests.filter(({ body }) => (body as { voucherCode?: string } | null)?.voucherCode).length;
    const leave = () => (find('textarea') as HTMLTextAreaElement).focus();
    shop.refuseNext(
      { code: 1, reason: 'voucher_unknown', fields: { voucherCode: 'voucher_unknown' } },
      ({ body }) => (body as { voucherCode?: string } | null)?.voucherCode === 'ten',
    );
    labelled('Voucher code')?.focus();
    await type('Voucher code', 'ten');
    leave();
    await vi.waitFor(() => expect(find('#voucher-error')).not.toBeNull());
    labelled('Voucher code')?.focus();
    leave();
    expect(asked()).toBe(1);
    labelled('Voucher code')?.focus();
    await type('Voucher code', 'tens');
    expect(find('#voucher-error')).toBeNull();
  });
});

describe('a guest', () => {
  const PLACE = 'Suburb or postcode';
  const PARCELS = [
    {
      storage: 'ambient',
      weight: 3000,
      freight: 9.9,
      reason: '常温，3 千克',
      reasonEn: 'Room temperature, 3 kg',
    },
    { storage: 'frozen', weight: 400, freight: 15, reason: '冷冻，0.4 千克', reasonEn: 'Frozen, 0.4 kg' },
  ];
  const PREVIEW = '/pc/order/preview';
  const FREIGHT = { freight: 24.9, parcels: PARCELS, missingForFree: 0 };
  const SLOT = { pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '01/12/2026 10:00' };
  const alerts = () =>
    [...document.querySelectorAll('[role=alert]')].map((alert) => alert.textContent).join();
  const draft = async () => (await import('../stores/checkout')).draft.value;
  const asked = () =>
    shop.requests.filter(({ path, body }) => path === PREVIEW && 'address' in (body as object));

  async function press(text: string) {
    [...document.querySelectorAll('button')].find((button) => button.textContent === text)?.click();
    await vi.advanceTimersByTimeAsync(0);
  }

  /** Opens the delivery step as a guest who has put rice into the cart. */
  async function openAsGuest() {
    localStorage.clear();
    const cart = await import('../stores/cart');
    cart.add(RICE, 2);
    await open('delivery');
    await wait(PLACE);
  }

  it('needs a place before the login, and sees then what each parcel costs', async () => {
    const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
    await openAsGuest();
    await press('Log in to continue');
    expect(alerts()).toContain('Freight acquisition failed: Address is Empty');
    await press('Show delivery cost');
    expect(find('.field .error')?.textContent).toBe('Freight acquisition failed: Address is Empty');
    expect([asked(), leave.mock.calls]).toEqual([[], []]);

    await type(PLACE, '6003');
    shop.answers.set(PREVIEW, FREIGHT);
    await press('Show delivery cost');
    await vi.waitFor(() => expect(find('.parcels')).not.toBeNull());
    expect(asked().map(({ body }) => body)).toEqual([
      {
        address: 'Australia-WA-6003',
        orderGoods: [{ goodsId: 1, goodsAmount: 2 }],
        actionGoods: [],
        shippingType: 2,
      },
    ]);
    expect([...document.querySelectorAll('.parcels li')].map((row) => row.textContent)).toEqual([
      'Room temperature, 3 kgA$9.90',
      'Frozen, 0.4 kgA$15.00',
    ]);
    expect(alerts()).toBe('');
    await press('Log in to continue');
    expect(leave).toHaveBeenCalledExactlyOnceWith('/home/login?redirect=%2Fhome%2FcreateOrder%2Fdelivery');
  });

  it('is shown where nothing is sent to, and why', async () => {
    await openAsGuest();
    await type(PLACE, '6003');
    shop.refuseNext(
      { code: 1002, reason: 'address_error', msg: '地址错误', whyEn: 'Nothing frozen is sent there.' },
      ({ path }) => path === PREVIEW,
    );
    await press('Show delivery cost');
    await vi.waitFor(() => expect(alerts()).not.toBe(''));
    expect(alerts()).toBe('Freight acquisition failedAddress errorNothing frozen is sent there.Try again');
    expect(await draft()).toMatchObject({ freight: 0, address: null });
    expect(labelled(PLACE)?.value).toBe('WA 6003');
  });

  it('is led to the cart where only other products help, and not asked to try again', async () => {
    await openAsGuest();
    await type(PLACE, '6003');
    const fields = { orderGoods: 'not_exported' };
    shop.refuseNext(
      { code: 1002, reason: 'not_exported', msg: '不能出口', fields },
      ({ path }) => path === PREVIEW,
    );
    await press('Show delivery cost');
    await vi.waitFor(() => expect(alerts()).not.toBe(''));
    expect(document.body.textContent).not.toContain('Try again');
    expect(find('.notice--danger a')?.getAttribute('href')).toBe('/home/cart');
    await press('Log in to continue');
    expect(find('.summary-error')?.textContent).not.toContain('Address is Empty');
    expect(find('.summary-error li')?.textContent).toBe(find('.notice--danger p')?.textContent);
  });

  it('goes on with their addresses once they have logged in in another tab', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => {});
    await openAsGuest();
    document.dispatchEvent(new Event('shop:session'));
    expect(reload).not.toHaveBeenCalled();
    logInAs('mei@example.com');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(reload).toHaveBeenCalledOnce();
    expect((await draft()).owner).toBe('mei@example.com');
  });

  it('is led from the payment step to the delivery step', async () => {
    localStorage.clear();
    const go = vi.spyOn(location, 'replace').mockImplementation(() => {});
    await open('payType');
    expect(go).toHaveBeenCalledExactlyOnceWith('/home/createOrder/delivery');
  });

  it.each([
    ['selects the saved address in the place', 'Northbridge', 5, undefined],
    ['has the default address, and offers the place, where none is there', 'Perth', 4, 'Northbridge'],
  ])('finds after the login the same draft, which %s', async (_what, areaName, addressId, suburb) => {
    await openAsGuest();
    shop.answers.set(PREVIEW, FREIGHT);
    await type(PLACE, 'Northbridge');
    await press('Show delivery cost');
    await vi.waitFor(async () => expect((await draft()).freight).toBe(24.9));
    (await import('../stores/checkout')).choosePickup(SLOT);

    const other = {
      addressId: 4,
      addType: 1,
      contacts: 'Mei',
      contactPhone: '0400 123 456',
      zipCode: '6000',
    };
    const street = {
      countryName: 'Australia',
      provinceName: 'WA',
      cityName: '',
      addressDetail: '1 High Street',
    };
    const list = [
      { ...other, ...street, areaName: 'Perth', isDefault: true },
      { ...other, ...street, addressId: 5, areaName, zipCode: '6003', isDefault: false },
    ];
    document.body.replaceChildren();
    shop.refusals.length = 0;
    logInAs('mei@example.com');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    shop.refuseNext({ result: { list } }, ({ path }) => path === '/pc/setting/deliveryAddressNew');
    shop.answers.set(PREVIEW, FREIGHT);
    await open('delivery');
    await vi.waitFor(async () => expect((await draft()).freight).toBe(24.9));
    expect(await draft()).toMatchObject({
      ...{ owner: 'mei@example.com', deliveryType: 'delivery', pickup: SLOT, address: { addressId } },
      goodsList: [{ goodsId: 1, goodsAmount: 2 }],
    });
    expect(labelled('Suburb')).toBeUndefined();
    if (!suburb) return expect(document.body.textContent).not.toContain('You estimated delivery');
    await vi.waitFor(() =>
      expect(find('.notice')?.textContent).toContain('You estimated delivery to Northbridge WA 6003'),
    );
    await press('Deliver to Northbridge WA 6003');
    await vi.waitFor(() => expect(labelled('Suburb')?.value).toBe(suburb));
  });

  it('a customer without a known way is asked for one', async () => {
    await openAsGuest();
    const { chooseDelivery } = await import('../stores/checkout');
    chooseDelivery('fature');
    await vi.advanceTimersByTimeAsync(0);
    await press('Log in to continue');
    expect(alerts()).toContain('delivery Type Error');
  });
});

describe('points', () => {
  it('pay as many as can at first, less if the customer shows it, and none again', async () => {
    logInAs('token');
    shop.pointsUsable = 350;
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    shop.answers.set('/pc/shops', []);
    await choose('pickup');
    await vi.waitFor(() => expect(labelled('Use points')?.value).toBe('350'));
    expect(find('.co-aside')?.textContent).toContain('up to 350 points here, worth A$3.50');
    await type('Use points', '90');
    labelled('Use points')?.form?.requestSubmit();
    await vi.waitFor(() => expect(document.activeElement?.textContent).toBe('Remove'));
    expect(find('.co-aside')?.textContent).toContain('90 points are used, worth A$0.90');
    expect(find('.totals')?.textContent).toContain('Points−A$0.90');
    expect(find('.grand')?.textContent).toContain('A$3.00');
    (document.activeElement as HTMLElement).click();
    await vi.waitFor(() => expect(document.activeElement).toBe(labelled('Use points')));
    expect(find('.totals')?.textContent).not.toContain('Points');
  });

  it('show why they cannot pay, and the order goes on without', async () => {
    logInAs('token');
    shop.pointsUsable = 350;
    (await import('../stores/cart')).add(RICE, 1);
    await open('delivery');
    await vi.waitFor(() => expect(labelled('Use points')).toBeDefined());
    const refused = { code: 1, reason: 'points_insufficient', msg: '积分不足' };
    shop.refuseNext(
      { ...refused, fields: { points: 'points_insufficient' } },
      ({ path, body }) => path === '/pc/order/preview' && 'points' in (body as object),
    );
    labelled('Use points')?.form?.requestSubmit();
    await vi.waitFor(() => expect(document.activeElement).toBe(labelled('Use points')));
    expect(find('.co-aside')?.textContent).toContain('You do not have enough points');
    expect((await import('../stores/checkout')).draft.value.points).toBe(0);
  });
});
