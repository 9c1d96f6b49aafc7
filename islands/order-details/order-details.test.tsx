// Its scheduler must not take a clock of one test, which stands still in the next.
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
  ...{ orderAmount: 20, payAmount: 20, leftToPay: 20, freight: 0, gst: 0, freightGst: 0, discount: 0 },
  ...{ points: 0, integral: 0, integralPending: 0, pickupQr: '', transfer: null, goods: [] },
  ...{ shipments: [], payments: [], refunds: [], history: [] },
};
let shop: FakeShop;

beforeEach(async () => {
  freshBrowser();
  shop = new FakeShop([]);
  shop.answers.set('/pc/payTypes', []);
  shop.refuseNext({ result: null }, ({ path }) => path.startsWith('/pc/pay/instructions'));
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
