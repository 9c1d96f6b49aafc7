import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import { errorText, loadTexts } from '../i18n';
import { logInAs } from '../testing/browser';
import { type Address, emptyAddress } from './address';
import { removeOrdered } from './carts';
import * as checkout from './checkout';
import { type DraftLine, emptyDraft } from './order-draft';
import { startPayment } from './payment';
import { place } from './place';
import { account, endSession, signIn } from './session';
import type { PromotionGroup } from './snapshot';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));
vi.mock('./carts', () => ({ removeOrdered: vi.fn() }));

const server = vi.mocked(call);
const refusal = (reason: string, code = 1) => new ShopError({ code, status: 200, reason });
const lost = () => new ShopError({ code: -1, status: 0, reason: 'network' });
const line = (goodsId: number, goodsAmount = 1): DraftLine => ({
  goodsId,
  goodsName: '蚝油',
  goodsEnglishName: 'Oyster Sauce',
  goodsImgUrl: null,
  goodsAmount,
  memberPrice: 4.35,
  netWeight: 510,
});
const perth: Address = {
  ...emptyAddress(),
  addressId: 5,
  addressee: 'Mei Lin',
  phone: '0400 123 456',
  addressDetails: '1 High Street',
  city: '6000',
  cityName: ['WA', '', 'Perth'],
};
const mei = { token: 'T-mei', nickname: 'Mei', level: 1, account: 'mei@example.com' };
/** What the preview of lines that cost so many dollars answers. */
const sums = (freight: number | null, orderAmount = 13.05) => ({
  goods: [],
  discount: 0,
  orderAmount,
  freight,
  parcels: [] as object[],
  missingForFree: null,
  payAmount: orderAmount + (freight ?? 0),
});
const order = { orderNo: 'EB1', orderAmount: 13.05, freight: 9.9, payAmount: 22.95 };
const sent = (path: string) =>
  server.mock.calls.filter(([, called]) => called === path).map(([, , body]) => body);

/** Answers each path with what is queued for it, in order. */
function answers(queues: Record<string, (object | number | Error)[]>): void {
  server.mockImplementation((_method, path) => {
    const answer = queues[path]?.shift();
    if (answer === undefined) throw new Error(`${path} was not expected`);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer as never);
  });
}

beforeEach(() => {
  sessionStorage.clear();
  signIn(mei);
  server.mockReset();
  vi.mocked(removeOrdered).mockClear();
  checkout.restoreDraft();
});

async function readyToPay(): Promise<void> {
  checkout.startDraft([line(1, 3)]);
  server.mockResolvedValueOnce(sums(9.9));
  checkout.chooseAddress(perth);
  await vi.waitFor(() => expect(checkout.freightState.value).toBe('ready'));
  server.mockReset();
}

describe('freight', () => {
  it('is unknown at first', () => {
    checkout.startDraft([line(1)]);
    expect(checkout.draft.value.freight).toBeNull();
    expect(checkout.grandTotal.value).toBeNull();
  });

  it('is fetched for the chosen address and added to the products in cents', async () => {
    checkout.startDraft([line(1, 3)]);
    server.mockResolvedValueOnce(sums(9.9));
    checkout.chooseAddress(perth);
    expect(checkout.freightState.value).toBe('loading');
    await vi.waitFor(() => expect(checkout.freightState.value).toBe('ready'));
    expect(sent('/pc/order/preview')).toEqual([
      {
        address: 'Australia-WA-Perth-6000',
        orderGoods: [{ goodsId: 1, goodsAmount: 3 }],
        actionGoods: [],
        shippingType: 2,
      },
    ]);
    expect(checkout.grandTotal.value).toBe(1305 + 990);
  });

  it('is 0 for pick-up, before and after the server has answered what the products cost', async () => {
    checkout.startDraft([line(1)]);
    server.mockResolvedValue(sums(0, 4.2));
    checkout.chooseDelivery('pickup');
    expect(checkout.draft.value.freight).toBe(0);
    expect([checkout.freightState.value, checkout.grandTotal.value]).toEqual(['ready', null]);
    await vi.waitFor(() => expect(checkout.grandTotal.value).toBe(420));
    expect(checkout.draft.value.freight).toBe(0);
  });

  it('stays 0 for pick-up when the delivery step is opened again', async () => {
    server.mockResolvedValue(sums(0, 4.35));
    checkout.startDraft([line(1)]);
    checkout.chooseDelivery('pickup');
    checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '22/11/2026 10:00' });
    checkout.restoreDraft();
    checkout.startDraft([line(1)]);
    expect(checkout.draft.value.freight).toBe(0);
    await vi.waitFor(() => expect(checkout.grandTotal.value).toBe(435));
    expect(checkout.readyToPay.value).toBe(true);
  });

  it('must be known before the order can be paid', async () => {
    await readyToPay();
    expect(checkout.readyToPay.value).toBe(true);
    checkout.startDraft([line(1, 3)]);
    expect(checkout.complete.value).toBe(true);
    expect(checkout.readyToPay.value).toBe(false);
  });

  it('is stored with its parcels, and the place without name or street', async () => {
    const parcels = [
      { storage: 'frozen', weight: 400, freight: 9.9, reason: '基本价', reasonEn: 'Base price' },
    ];
    checkout.startDraft([line(1)]);
    server.mockResolvedValueOnce({ ...sums(9.9), parcels });
    checkout.chooseAddress(perth);
    await vi.waitFor(() => expect(checkout.draft.value.parcels).toEqual(parcels));
    checkout.restoreDraft();
    expect(checkout.draft.value.parcels).toEqual(parcels);
    expect(place.value).toEqual({ country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' });
    checkout.chooseDelivery('pickup');
    expect(checkout.draft.value.parcels).toEqual([]);
  });

  it('is that of the latest request, not of the last answer', async () => {
    checkout.startDraft([line(1)]);
    let answerFirst: (value: ReturnType<typeof sums>) => void = () => undefined;
    server.mockReturnValueOnce(new Promise((resolve) => (answerFirst = resolve)) as never);
    checkout.chooseAddress(perth);
    server.mockResolvedValueOnce(sums(30));
    checkout.chooseAddress({ ...perth, addressId: 6, country: 'New Zealand' });
    await vi.waitFor(() => expect(checkout.draft.value.freight).toBe(30));
    answerFirst(sums(9.9));
    await Promise.resolve();
    expect(checkout.draft.value.freight).toBe(30);
  });

  it('is reset to 0 where its call fails, which clears the address, and can be loaded again', async () => {
    checkout.startDraft([line(1)]);
    server.mockRejectedValueOnce(lost());
    checkout.chooseAddress(perth);
    await vi.waitFor(() => expect(checkout.freightState.value).toBe('failed'));
    expect(checkout.draft.value.freight).toBe(0);
    expect(checkout.draft.value.address).toBeNull();
    expect(checkout.grandTotal.value).toBeNull();
    expect(checkout.complete.value).toBe(false);
    server.mockResolvedValueOnce(sums(9.9));
    checkout.retryFreight();
    await vi.waitFor(() => expect(checkout.freightState.value).toBe('ready'));
    expect(checkout.draft.value.address?.addressId).toBe(5);
  });

  it('of a refused place leaves the sums of the products as the server has them', async () => {
    checkout.startDraft([line(1)]);
    server.mockRejectedValueOnce(lost());
    server.mockResolvedValueOnce(sums(null, 1.23));
    checkout.chooseAddress(perth);
    await vi.waitFor(() => expect(checkout.freightState.value).toBe('failed'));
    expect(checkout.productTotal.value).toBe(123);
    expect(server.mock.lastCall?.[2]).not.toHaveProperty('address');
  });

  it('of a refused place still shows why after a voucher was tried', async () => {
    checkout.startDraft([line(1)]);
    server.mockRejectedValueOnce(lost());
    checkout.chooseAddress(perth);
    await vi.waitFor(() => expect(checkout.freightState.value).toBe('failed'));
    server.mockRejectedValueOnce(lost());
    await checkout.applyVoucher('SPRING');
    expect(checkout.freightState.value).toBe('failed');
  });
});

describe('placeAndPay', () => {
  it('trades, orders and pays, and gives the payment page', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [{ jumpUrl: '/sandbox-pay/1' }],
    });
    expect(await checkout.placeAndPay('5')).toBe('/sandbox-pay/1');
    expect(sent('/pc/order')).toEqual([
      {
        transactionCode: 'T1',
        orderGoods: [{ goodsId: 1, goodsAmount: 3 }],
        actionGoods: [],
        shippingType: 2,
        deliveryAddressId: 5,
      },
    ]);
    expect(sent('/pc/order/pay')).toEqual([{ orderNo: 'EB1', payType: '5' }]);
    expect(checkout.grandTotal.value).toBe(2295);
    expect(vi.mocked(removeOrdered).mock.calls).toEqual([[[1]]]);
  });

  it('pays no other amount than the customer has seen', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [{ ...order, payAmount: 25.95 }],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    expect(await checkout.placeAndPay('0', '888888')).toBeUndefined();
    expect(checkout.failure.value).toMatchObject({ during: 'order', error: { reason: 'amount_changed' } });
    expect(sent('/pc/order/pay')).toEqual([]);
    expect(checkout.grandTotal.value).toBe(2595);

    expect(await checkout.placeAndPay('0', '888888')).toBeNull();
    expect(sent('/pc/order')).toHaveLength(1);
    expect(sent('/pc/order/pay')).toHaveLength(1);
  });

  it('takes a part from the wallet first, and no part twice', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [refusal('too_frequent'), { jumpUrl: '/sandbox-pay/2' }],
    });
    expect(checkout.draft.value.leftToPay).toBeNull();
    expect(await checkout.placeAndPay('5', '888888', undefined, 1000)).toBeUndefined();
    // A part may have been taken, so the page asks.
    expect(checkout.leftToPay.value).toBe(2295);
    expect(checkout.draft.value.leftToPay).toBe(22.95);
    checkout.noteLeft(12.45, 10);
    checkout.restoreDraft();
    expect([checkout.leftToPay.value, checkout.grandTotal.value]).toEqual([1245, 2295]);
    expect(await checkout.placeAndPay('5', '888888', undefined, 250)).toBe('/sandbox-pay/2');
    expect(sent('/pc/order/pay')).toEqual([
      { orderNo: 'EB1', payType: '5', password: '888888', walletAmount: 10 },
      { orderNo: 'EB1', payType: '5', password: '888888', walletAmount: 12.5 },
    ]);
  });

  it('orders a pick-up with shop and time', async () => {
    server.mockResolvedValue(sums(0, 4.35));
    checkout.startDraft([line(1)]);
    checkout.chooseDelivery('pickup');
    checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '22/11/2026 10:00' });
    await vi.waitFor(() => expect(checkout.readyToPay.value).toBe(true));
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [{ ...order, orderAmount: 4.35, freight: 0, payAmount: 4.35 }],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    expect(await checkout.placeAndPay('0', '888888')).toBeNull();
    expect(sent('/pc/order')).toEqual([
      expect.objectContaining({ shippingType: 3, shopId: 2, terminalDateTime: '22/11/2026 10:00' }),
    ]);
    expect(sent('/pc/order/pay')).toEqual([{ orderNo: 'EB1', payType: '0', password: '888888' }]);
  });

  it('sends the same transactionCode again when the answer to the order was lost, also after a reload', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [lost(), order],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    expect(await checkout.placeAndPay('5')).toBeUndefined();
    expect(checkout.failure.value).toMatchObject({ during: 'order', error: { reason: 'network' } });
    checkout.restoreDraft();
    expect(await checkout.placeAndPay('5')).toBeNull();
    const [first, second] = sent('/pc/order');
    expect(second).toEqual(first);
    expect(sent('/pc/toTrade')).toHaveLength(1);
  });

  it('orders nothing by a way without a destination', async () => {
    await readyToPay();
    checkout.chooseDelivery('fature');
    server.mockReset();
    expect(await checkout.placeAndPay('5')).toBeUndefined();
    expect(server).not.toHaveBeenCalled();
    await loadTexts();
    expect(errorText(checkout.failure.value?.error)).toBe('delivery Type Error');
    expect(checkout.draft.value).toMatchObject({ transactionCode: '', orderNo: '', freight: null });
  });

  it('ignores a second press while the first is under way', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [{ jumpUrl: '/sandbox-pay/1' }],
    });
    const [first, second] = await Promise.all([checkout.placeAndPay('5'), checkout.placeAndPay('5')]);
    expect([first, second]).toEqual(['/sandbox-pay/1', undefined]);
    expect(sent('/pc/order')).toHaveLength(1);
  });

  it('keeps the placed order after a wrong pay password and only pays again', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [refusal('password_wrong'), { jumpUrl: null }],
    });
    expect(await checkout.placeAndPay('0', '000000')).toBeUndefined();
    expect(checkout.failure.value).toMatchObject({ during: 'pay', error: { reason: 'password_wrong' } });
    expect(checkout.draft.value.orderNo).toBe('EB1');
    expect(await checkout.placeAndPay('0', '888888')).toBeNull();
    expect(sent('/pc/order')).toHaveLength(1);
    expect(sent('/pc/order/pay')).toHaveLength(2);
  });

  it('makes no order and keeps the code when stock is insufficient', async () => {
    await readyToPay();
    answers({ '/pc/toTrade': [{ transactionCode: 'T1' }], '/pc/order': [refusal('stock_insufficient')] });
    expect(await checkout.placeAndPay('5')).toBeUndefined();
    expect(checkout.failure.value).toMatchObject({
      during: 'order',
      error: { reason: 'stock_insufficient' },
    });
    expect(checkout.draft.value).toMatchObject({ orderNo: '', transactionCode: 'T1' });
    expect(removeOrdered).not.toHaveBeenCalled();
  });

  it('gets a new code after the old one has expired', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }, { transactionCode: 'T2' }],
      '/pc/order': [refusal('order_timeout'), order],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    expect(await checkout.placeAndPay('5')).toBeUndefined();
    expect(await checkout.placeAndPay('5')).toBeNull();
    expect(sent('/pc/order').map((body) => (body as { transactionCode: string }).transactionCode)).toEqual([
      'T1',
      'T2',
    ]);
  });

  it('treats an order that is paid already as a success', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [refusal('order_paid')],
    });
    expect(await checkout.placeAndPay('5')).toBeNull();
    expect(checkout.failure.value).toBeNull();
  });
});

describe('startDraft', () => {
  const withCode = async (lines: DraftLine[]) => {
    checkout.startDraft(lines);
    server.mockResolvedValueOnce(sums(9.9));
    checkout.chooseAddress(perth);
    answers({ '/pc/toTrade': [{ transactionCode: 'T1' }], '/pc/order': [lost()] });
    await checkout.placeAndPay('5');
  };

  it('keeps the transactionCode for the same lines', async () => {
    await withCode([line(1), line(2)]);
    checkout.startDraft([line(2), line(1)]);
    expect(checkout.draft.value.transactionCode).toBe('T1');
  });

  it('drops it for other products or amounts', async () => {
    await withCode([line(1)]);
    checkout.startDraft([line(1, 2)]);
    expect(checkout.draft.value.transactionCode).toBe('');
  });

  it('keeps for other products how they are delivered, until an order was placed', async () => {
    await withCode([line(1)]);
    const wishes = { deliverySlot: '01/12/2026 09:00', leaveAtDoor: true, remark: 'Ring twice' };
    checkout.noteWishes(wishes);
    checkout.keepUnfinished({ ...perth, addressId: null });
    const payType = { payName: '钱包', payCode: 'wallet', payType: '0', img: '' };
    checkout.choosePayType(payType);
    server.mockResolvedValueOnce(sums(9.9));
    checkout.startDraft([line(1, 2)]);
    expect(checkout.draft.value).toMatchObject({ ...wishes, payType, unfinished: { city: perth.city } });
    answers({
      '/pc/toTrade': [{ transactionCode: 'T2' }],
      '/pc/order': [order],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    // The freight of the address is asked for immediately, and not again when the list of addresses chooses
    // it.
    const asked = server.mock.calls.length;
    checkout.chooseAddress(perth);
    await vi.waitFor(() => expect(checkout.readyToPay.value).toBe(true));
    expect(server.mock.calls.length).toBe(asked);
    await checkout.placeAndPay('5');
    checkout.startDraft([line(1)]);
    expect(checkout.draft.value).toMatchObject({ deliverySlot: '', remark: '', unfinished: null });
  });

  it('starts a new draft once the order was placed, even for the same lines', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    await checkout.placeAndPay('5');
    checkout.startDraft([line(1, 3)]);
    expect(checkout.draft.value).toMatchObject({ orderNo: '', transactionCode: '', payAmount: null });
  });
});

describe('cleanDraft', () => {
  it('clears everything, in the browser too; the freight is then 0, until a new draft begins', async () => {
    await readyToPay();
    checkout.goToPayment();
    checkout.choosePayType({ payName: '银行卡', payCode: 'RoyalPayCard', payType: '5', img: '/card.svg' });
    checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '22/11/2026 10:00' });
    checkout.chooseDelivery('pickup');
    answers({ '/pc/toTrade': [{ transactionCode: 'T1' }], '/pc/order': [lost()] });
    await checkout.placeAndPay('5');
    const { payType, active, transactionCode } = checkout.draft.value;
    expect([payType.payType, payType.check, active, transactionCode]).toEqual(['5', true, 1, 'T1']);

    checkout.cleanDraft();
    const cleaned = { ...emptyDraft(), freight: 0 };
    expect(checkout.draft.value).toEqual(cleaned);
    checkout.restoreDraft();
    expect(checkout.draft.value).toEqual({ ...cleaned, owner: 'mei@example.com' });
    expect(emptyDraft()).toMatchObject({
      ...{ active: 0, goodsList: [], promotion: null, promotionGoodsList: [], deliveryType: 'delivery' },
      ...{ address: null, pickup: { pickupShopId: null, pickupShoName: '', pickupTime: '' } },
      ...{ payType: { payName: '', payCode: '', payType: '', img: '', check: false } },
      ...{ transactionCode: '', orderNo: '' },
    });
    checkout.startDraft([line(1)]);
    expect([checkout.draft.value.freight, checkout.grandTotal.value]).toEqual([null, null]);
  });

  it('keeps the draft of another order', async () => {
    await readyToPay();
    checkout.cleanDraft('EB9');
    expect(checkout.draft.value.goodsList).toHaveLength(1);
  });
});

describe('the draft of a guest', () => {
  const slot = { pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '22/11/2026 10:00' };
  const northbridge = { country: 'Australia', cityName: ['WA', '', 'Northbridge'], city: '6003' };

  async function guestChooses() {
    endSession();
    checkout.startDraft([line(1)]);
    server.mockResolvedValueOnce(sums(9.9));
    checkout.choosePlace(northbridge);
    await vi.waitFor(() => expect(checkout.freightState.value).toBe('ready'));
    checkout.choosePickup(slot);
  }

  it('has a freight without a login, but cannot be paid', async () => {
    await guestChooses();
    expect(checkout.draft.value).toMatchObject({ owner: '', freight: 9.9 });
    expect(checkout.grandTotal.value).toBe(1305 + 990);
    expect(checkout.readyToPay.value).toBe(false);
  });

  it.each([
    ['the same lines', [line(1)]],
    ['lines that the login has changed', [line(1, 2)]],
  ])('goes on with %s as the draft of the customer who logs in', async (_what, lines) => {
    await guestChooses();
    signIn(mei);
    expect(checkout.draft.value.owner).toBe('mei@example.com');
    checkout.restoreDraft();
    checkout.startDraft(lines);
    expect(checkout.draft.value).toMatchObject({
      ...{ owner: 'mei@example.com', deliveryType: 'delivery', pickup: slot },
      address: { ...northbridge, addressId: null, addressee: '' },
    });
    signIn({ ...mei, account: 'jia@example.com' });
    expect(checkout.draft.value).toMatchObject({ owner: 'jia@example.com', goodsList: [], address: null });
  });

  it('never is a customer’s', async () => {
    await readyToPay();
    const stored = sessionStorage.getItem('shop.draft') ?? '';
    endSession();
    sessionStorage.setItem('shop.draft', stored);
    checkout.restoreDraft();
    expect(checkout.draft.value).toMatchObject({ owner: '', goodsList: [], address: null });
  });
});

describe('the draft and its owner', () => {
  /** Another tab has logged a customer in or out; this one hears of it only by the event. */
  const hear = () => window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));

  it('orders and pays with the token of the draft’s owner', async () => {
    await readyToPay();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [order],
      '/pc/order/pay': [{ jumpUrl: null }],
    });
    await checkout.placeAndPay('5');
    const tokens = server.mock.calls.slice(0, 3).map(([, path, , options]) => [path, options?.token]);
    expect(tokens).toEqual([
      ['/pc/toTrade', 'T-mei'],
      ['/pc/order', 'T-mei'],
      ['/pc/order/pay', 'T-mei'],
    ]);
  });

  it.each([
    ['another customer in', () => logInAs('jia@example.com')],
    ['the customer out', () => localStorage.removeItem('token')],
  ])('orders nothing once another tab has logged %s', async (_what, act) => {
    await readyToPay();
    act();
    expect(await checkout.placeAndPay('5')).toBeUndefined();
    expect(server).not.toHaveBeenCalled();
    expect(checkout.failure.value).toMatchObject({ error: { reason: 'login_required' } });
    expect(checkout.draft.value.goodsList).toEqual([]);
  });

  it('pays nothing for a customer who is gone when their order has been made', async () => {
    await readyToPay();
    server.mockImplementation(async (_method, path) => {
      if (path === '/pc/order') logInAs('jia@example.com');
      return (path === '/pc/toTrade' ? { transactionCode: 'T1' } : order) as never;
    });
    expect(await checkout.placeAndPay('5')).toBeUndefined();
    expect(sent('/pc/order/pay')).toEqual([]);
    expect(checkout.draft.value).toMatchObject({ orderNo: '', goodsList: [], address: null });
  });

  it('pays an order of the page that is shown only for the customer who saw it', async () => {
    logInAs('jia@example.com');
    await expect(startPayment('EB1', '0', '888888')).rejects.toMatchObject({
      reason: 'login_required',
    });
    expect(server).not.toHaveBeenCalled();
  });

  it('ends the draft with its owner, in the browser too', async () => {
    await readyToPay();
    logInAs('jia@example.com');
    hear();
    expect(account.value).toBe('jia@example.com');
    expect(checkout.draft.value).toMatchObject({ goodsList: [], address: null });
    logInAs('mei@example.com');
    hear();
    expect(checkout.draft.value.goodsList).toEqual([]);
  });

  it('hides the draft of a customer who was replaced while the tab was at a payment page', async () => {
    await readyToPay();
    const stored = sessionStorage.getItem('shop.draft') ?? '';
    signIn({ ...mei, account: 'jia@example.com' });
    sessionStorage.setItem('shop.draft', stored);
    checkout.restoreDraft();
    expect(checkout.draft.value).toMatchObject({ goodsList: [], address: null });
  });

  it('drops a freight that is answered after the owner has gone', async () => {
    checkout.startDraft([line(1)]);
    let answer: (value: ReturnType<typeof sums>) => void = () => undefined;
    server.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)) as never);
    checkout.chooseAddress(perth);
    logInAs('jia@example.com');
    hear();
    answer(sums(9.9));
    await Promise.resolve();
    await Promise.resolve();
    expect(checkout.draft.value.freight).toBeNull();
  });
});

describe('an order at other prices than were shown', () => {
  const group: PromotionGroup = {
    goodsActionTypeId: 7,
    goodsActionTypeName: '周末',
    goodsActionTypeNameEn: 'Weekend',
    endTime: '30/11/2026 20:00',
    endTimeIso: '2026-11-30T12:00:00Z',
    shoppingCart: [{ ...line(2, 2), memberPrice: 3.33 } as PromotionGroup['shoppingCart'][number]],
  };
  const goods = [
    { goodsId: 1, price: 4.35, lineAmount: 4.35, actionTypeId: null },
    { goodsId: 2, price: 4.44, lineAmount: 8.88, actionTypeId: 7 },
  ];
  const detail = { goods, discount: 0, orderAmount: 13.23 };

  async function promoted() {
    server.mockResolvedValue(sums(0, 11.01));
    checkout.startDraft([line(1)], group);
    checkout.chooseDelivery('pickup');
    checkout.choosePickup({ pickupShopId: 2, pickupShoName: 'Perth', pickupTime: '22/11/2026 10:00' });
    await vi.waitFor(() => expect(checkout.grandTotal.value).toBe(1101));
  }
  const placed = { orderNo: 'EB1', orderAmount: 13.23, freight: 0, payAmount: 13.23 };

  it('has the lines and prices that the order was made with', async () => {
    await promoted();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [placed],
      '/pc/order/detailed/EB1': [detail],
    });
    await checkout.placeAndPay('5');
    expect(checkout.draft.value.summary).toEqual(detail);
    expect(checkout.productTotal.value).toBe(1323);
    expect(checkout.grandTotal.value).toBe(1323);
  });

  it('goes on with the same order when its lines could not be fetched at first', async () => {
    await promoted();
    answers({
      '/pc/toTrade': [{ transactionCode: 'T1' }],
      '/pc/order': [placed, placed],
      '/pc/order/detailed/EB1': [lost(), detail],
    });
    await checkout.placeAndPay('5');
    expect(checkout.failure.value).toMatchObject({ error: { reason: 'network' } });
    expect(checkout.grandTotal.value).toBe(checkout.productTotal.value);
    await checkout.placeAndPay('5');
    expect(checkout.failure.value).toMatchObject({ error: { reason: 'amount_changed' } });
    const [first, second] = sent('/pc/order');
    expect(second).toEqual(first);
    expect(checkout.productTotal.value).toBe(1323);
  });
});
