// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it } from 'vitest';
import type { Order } from '../api/types';
import { freshBrowser } from '../testing/browser';

const ORDER: Partial<Order> = {
  ...{ orderNo: 'S1A', orderStatus: 2, statusLabel: 'Unreceived', payType: '0', payAmount: 20, payImg: '' },
  ...{ createTime: '2026-12-01T01:00:00Z', expireTime: null, shippingType: 1, goods: [] },
};

beforeEach(async () => {
  freshBrowser();
  const { loadTextsOf } = await import('../i18n');
  await loadTextsOf('orders');
});

async function actions(order: Partial<Order>): Promise<(string | null)[]> {
  const { mountComponent } = await import('../ui/mount');
  const { OrderCard } = await import('./OrderCard');
  const element = document.createElement('div');
  await mountComponent(element, OrderCard, { order: { ...ORDER, ...order } as Order, rate: 5 });
  return [...element.querySelectorAll('.order__act a')].map((link) => link.getAttribute('href'));
}

const DETAILS = '/home/account/orderdetails/S1A';

it.each<[string, Partial<Order>, string[]]>([
  ['links to its parcels while they are on their way', {}, [DETAILS, '/home/account/logis?order=S1A']],
  ['links to no parcels when it is picked up', { shippingType: 3 }, [DETAILS]],
  ['links to no parcels before it is sent', { statusLabel: 'Paid' }, [DETAILS]],
])('%s', async (_what, order, links) => {
  expect(await actions(order)).toEqual(links);
});
