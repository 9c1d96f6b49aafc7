// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OrderDetail } from '../api/types';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

vi.mock('../addresses/regions', async (original) => ({
  ...(await original<object>()),
  loadCountries: async () => [],
}));

const ORDER = {
  ...{
    orderNo: 'S1A',
    orderStatus: 1,
    statusLabel: 'Unpaid',
    payType: '5',
    createTime: '2026-12-01T01:00:00Z',
  },
  ...{
    orderAmount: 20,
    payAmount: 20,
    leftToPay: 20,
    walletHeld: 0,
    freight: 0,
    gst: 0,
    freightGst: 0,
    discount: 0,
  },
  ...{ points: 0, integral: 0, integralPending: 0, pickupQr: '', transfer: null, goods: [] },
  ...{ shipments: [], payments: [], refunds: [], history: [] },
};
const INSTRUCTIONS = {
  ...{ orderNo: 'S1A', payType: 'cashOnDelivery', payName: '货到付款', payNameEn: 'Cash on delivery' },
  ...{ amount: 20, heldUntil: '2026-12-02T01:00:00Z', isPickup: true, isProven: false, img: '' },
  ...{ phone: '', email: '', wechat: '', wechatQr: null, bank: null },
  ...{ deliverySlot: null, deliveryUntil: null },
  shop: {
    ...{ shopId: 1, shopName: '珀斯店', shopNameEn: 'Perth store', address: '1 Hay Street' },
    terminalDateTime: '01/12/2026 10:00',
  },
};
let shop: FakeShop;

beforeEach(async () => {
  freshBrowser();
  shop = new FakeShop([]);
  shop.answers.set('/pc/payTypes', []);
  shop.answers.set('/pc/pay/instructions/S1A', INSTRUCTIONS);
  logInAs('mei@example.com');
  const { loadTexts, loadTextsOf } = await import('../i18n');
  await loadTexts();
  await loadTextsOf('orders');
});

async function open(order: Partial<OrderDetail>): Promise<HTMLElement> {
  shop.answers.set('/pc/order/detailed/S1A', { ...ORDER, ...order });
  const island = document.createElement('div');
  document.body.append(island);
  const { mountComponent } = await import('../ui/mount');
  const { OrderDetails } = await import('./OrderDetails');
  await mountComponent(island, OrderDetails, { orderNo: 'S1A' });
  await vi.waitFor(() => expect(island.querySelector('.totals')).not.toBeNull());
  return island;
}

it.each([
  ['Unpaid', '5', true],
  ['Pay In Store', 'cashOnDelivery', true],
  ['Pay By Transfer Waiting For Review', 'transfer', false],
])(
  'lets the customer of an order %s cancel it and pay it otherwise, or not',
  async (statusLabel, payType, may) => {
    const island = await open({ statusLabel, payType });
    expect(island.querySelector('#pay') !== null).toBe(may);
    const buttons = [...island.querySelectorAll('button')].map(({ textContent }) => textContent);
    expect(buttons.includes('Cancel order')).toBe(may);
  },
);

it.each([
  ['cashOnDelivery', '/static/img/pay-on-delivery.webp', 'Pay On Delivery'],
  ['cashOnDelivery', '/static/img/pay-in-store.webp', 'Pay In Store'],
])(
  'shows of an order in cash where it is paid, and not that it must be paid here: %s %s',
  async (...cash) => {
    const [payType, payImg, badge] = cash;
    const expireTime = '2026-12-02T01:00:00Z';
    const island = await open({ statusLabel: 'Pay In Store', payType, payImg, expireTime });
    expect(island.querySelector('.badge')?.textContent).toBe(badge);
    expect(island.querySelector('#pay-title')?.textContent).toBe('Prefer to pay another way?');
    expect(island.textContent).not.toContain('to keep your order.');
  },
);

it('shows in which store and when cash is paid', async () => {
  const island = await open({ statusLabel: 'Pay In Store', payType: 'cashOnDelivery' });
  await vi.waitFor(() => expect(island.querySelector('.instructions')).not.toBeNull());
  expect(island.querySelector('.instructions h2')?.textContent).toBe('Pay in store');
  expect(island.querySelector('.instructions')?.textContent).toContain('Perth store, 1 Hay Street');
  expect(island.querySelector('.instructions')?.textContent).toContain('Tuesday 1 December 10:00');
});

it('shows again how a transfer is paid once the order has changed, and links to the account', async () => {
  shop.answers.set('/pc/pay/instructions/S1A', { ...INSTRUCTIONS, payType: 'transfer', amount: 20 });
  location.hash = '#instructions';
  const island = await open({ payType: 'transfer' });
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('instructions-title'));
  expect(island.querySelector('.instructions')?.textContent).toContain('A$20.00');
  await vi.waitFor(() => expect(island.querySelector('#transfer form')).not.toBeNull());
  shop.answers.set('/pc/pay/instructions/S1A', {
    ...INSTRUCTIONS,
    payType: 'transfer',
    amount: 5,
    isProven: true,
  });
  shop.answers.set('/upload/oss/image', { imgUrl: '/pay/certificate/x' });
  shop.answers.set('/pc/savePayCertificates', null);
  const input = island.querySelector('input[type=file]') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [new File(['a'], 'a.png', { type: 'image/png' })] });
  input.dispatchEvent(new Event('change', { bubbles: true }));
  await vi.waitFor(() => expect(island.querySelector('#transfer img')).not.toBeNull());
  const form = island.querySelector('#transfer form');
  form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await vi.waitFor(() => expect(island.querySelector('.instructions')?.textContent).toContain('A$5.00'));
  location.hash = '';
});

it('asks for the payment of an order that is paid here', async () => {
  const island = await open({ expireTime: '2026-12-02T01:00:00Z' });
  expect(island.querySelector('#pay-title')?.textContent).toBe('How would you like to pay?');
  expect(island.textContent).toContain('Pay by 2 Dec 2026');
});

it('takes the picture of a transfer above all other ways to pay', async () => {
  const island = await open({ payType: 'transfer' });
  await vi.waitFor(() => expect(island.querySelector('#transfer')).not.toBeNull());
  const sections = [...island.querySelectorAll('section[id]')].map(({ id }) => id);
  expect(sections).toEqual(['transfer', 'pay']);
});

it.each([
  ['transfer', ''],
  ['5', 'S1A'],
])(
  'ends the checkout of an order that is paid by %s only where the shop waits for staff',
  async (payType, kept) => {
    const draft = { owner: 'mei@example.com', orderNo: 'S1A', payAmount: 20 };
    sessionStorage.setItem('shop.draft', JSON.stringify(draft));
    // It is slow to load the first time.
    await import('../stores/checkout');
    await open({ payType });
    const orderNo = () => JSON.parse(sessionStorage.getItem('shop.draft') ?? '{}').orderNo;
    await vi.waitFor(() => expect(orderNo()).toBe(kept), { timeout: 20_000 });
  },
);

it('lets the wallet pay in all what it has paid and has now, not what a transfer has brought', async () => {
  const way = { payCode: 'x', payName: 'x', payNameEn: 'x', payHint: '', payHintEn: '', img: '/x.webp' };
  shop.answers.set(
    '/pc/payTypes',
    ['5', '0'].map((payType) => ({ ...way, payType })),
  );
  shop.answers.set('/pc/user/userInfo', { account: 'mei@example.com', balance: 3, hasPayPassword: true });
  shop.refuseNext({ code: 1, reason: 'too_frequent' }, ({ path }) => path === '/pc/order/pay');
  const island = await open({ leftToPay: 12.5, walletHeld: 2 });
  const find = <E extends HTMLElement>(selector: string) => island.querySelector<E>(selector);
  await vi.waitFor(() => expect(find('input[type=checkbox]')).not.toBeNull());
  find('input[type=checkbox]')?.click();
  await vi.waitFor(() => expect(find('#pay-password')).not.toBeNull());
  const field = find<HTMLInputElement>('#pay-password');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, '888888');
  field?.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(field?.value).toBe('888888'));
  find('#pay .actions .btn--lg')?.click();
  const sent = () => shop.requests.find(({ path }) => path === '/pc/order/pay')?.body;
  await vi.waitFor(() => expect(sent()).toMatchObject({ payType: '5', walletAmount: 5 }));
});

it('lists the claims of an order on its page', async () => {
  const claim = { claimNo: 'R1', orderNo: 'S1A', status: 'asking', createTime: '2026-12-03T01:00:00Z' };
  shop.answers.set('/pc/order/claimable/S1A', { claims: [claim] });
  await open({ orderStatus: 7, statusLabel: 'Completed' });
  await vi.waitFor(() => expect(document.querySelector('a[href$="/claims/R1"]')).not.toBeNull());
  const line = document.querySelector('li:has(a[href$="/claims/R1"])');
  expect(line?.textContent).toContain('Claim R1');
  expect(line?.textContent).toContain('Waiting for you');
});

it('shows how far an order is, and lets its customer request the cancellation once', async () => {
  const history = [
    { orderStatus: 2, statusLabel: 'Paid', reason: 'payment', createTime: '2026-12-01T02:00:00Z' },
  ];
  const paid = { orderStatus: 2, statusLabel: 'Paid', history, mayRequestCancel: true, cancellation: null };
  const island = await open(paid);
  const steps = [...island.querySelectorAll('.progress li')];
  expect(steps.map((step) => step.classList.contains('done'))).toEqual([true, true, false, false, false]);
  expect(island.querySelector('[aria-current=step]')?.textContent).toContain('Paid');
  const button = (text: string) =>
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);
  await vi.waitFor(() => expect(button('Request cancellation')).toBeDefined());
  button('Request cancellation')?.click();
  await vi.waitFor(() => expect(document.querySelector('dialog')).not.toBeNull());
  const cancellation = { status: 'waiting', reason: '', answer: '', createTime: '2026-12-01T03:00:00Z' };
  shop.answers.set('/pc/order/requestCancel/S1A', {
    ...ORDER,
    ...paid,
    mayRequestCancel: false,
    cancellation,
  });
  button('Send request')?.click();
  await vi.waitFor(() => expect(island.textContent).toContain('You asked us to cancel this order.'));
  expect(button('Request cancellation')).toBeUndefined();
});
