import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { OrderDetail } from '../api/types';
import { loadTexts, loadTextsOf } from '../i18n';
import { freshBrowser } from '../testing/browser';
import { History, Payments } from './Records';

it('shows the steps of an order apart that share a label', async () => {
  freshBrowser();
  await Promise.all([loadTexts(), loadTextsOf('orders')]);
  const history = [
    { orderStatus: 1, statusLabel: 'Unpaid', reason: 'placed', createTime: '2026-12-01T01:00:00Z' },
    { orderStatus: 2, statusLabel: 'Paid', reason: 'payment', createTime: '2026-12-01T01:01:00Z' },
    { orderStatus: 3, statusLabel: 'Paid', reason: 'staff', createTime: '2026-12-01T01:02:00Z' },
    { orderStatus: 4, statusLabel: 'Paid', reason: 'staff', createTime: '2026-12-01T01:03:00Z' },
    { orderStatus: 6, statusLabel: 'Unreceived', reason: 'shipment', createTime: '2026-12-01T01:04:00Z' },
    { orderStatus: 7, statusLabel: 'Completed', reason: 'delivered', createTime: '2026-12-01T01:05:00Z' },
    { orderStatus: 6, statusLabel: 'Unreceived', reason: 'undone', createTime: '2026-12-01T01:06:00Z' },
  ];
  const shown = document.createElement('div');
  shown.innerHTML = renderToStaticMarkup(<History order={{ history } as unknown as OrderDetail} />);
  expect([...shown.querySelectorAll('li b')].map((step) => step.textContent)).toEqual([
    'Unpaid · ordered',
    'Paid · payment received',
    'Paid · being picked',
    'Paid · packed',
    'Unreceived · parcel sent',
    'Completed · delivered',
    'Unreceived · corrected by the shop',
  ]);
});

it.each([
  ['Unpaid', 'Pending'],
  ['Completed', 'Not used'],
  ['Canceled', 'Not used'],
])('shows an open payment of an order that is %s as %s', async (statusLabel, text) => {
  freshBrowser();
  await Promise.all([loadTexts(), loadTextsOf('orders')]);
  const payment = {
    payType: '5',
    createTime: '2026-12-01T01:00:00Z',
    amount: 5,
    currency: 'AUD',
    status: 'pending',
  };
  const order = { statusLabel, payments: [payment], refunds: [] } as unknown as OrderDetail;
  const shown = document.createElement('div');
  shown.innerHTML = renderToStaticMarkup(<Payments order={order} />);
  expect(shown.querySelector('.badge')?.textContent).toBe(text);
});
