// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OrderDetail } from '../api/types';
import { freshBrowser } from '../testing/browser';

beforeEach(async () => {
  freshBrowser();
  const { loadTexts, loadTextsOf } = await import('../i18n');
  await loadTexts();
  await loadTextsOf('orders');
});

async function show(order: Partial<OrderDetail>) {
  const island = document.createElement('div');
  document.body.append(island);
  const { mountComponent } = await import('../ui/mount');
  const { Next } = await import('./Next');
  await mountComponent(island, Next, {
    order: { pickupQr: '', pickupCode: '', ...order } as OrderDetail,
  });
  return island;
}

const PICK_UP = { pickupQr: 'data:image/svg+xml,x', pickupCode: '012345' };

it.each([
  [2, 'We’ve received your payment and will start on your order soon.'],
  [0, 'We’re checking your order, then we’ll start on it.'],
  [3, 'We’re picking your products.'],
  [4, 'Your order is packed and will leave us soon.'],
  [5, 'Something has sold out. We’ve asked you what to do: please reply to our message.'],
  [51, 'We’re waiting for some products. We’ll send your order as soon as they arrive.'],
  [8, 'on hold'],
  [6, 'Your order is on its way.'],
  [106, 'Part of your order is on its way; the rest will follow.'],
  [102, 'Your order will be delivered today.'],
  [100, 'ready in the store'],
  [90, 'come back to us'],
  [98, 'disputed'],
])('shows what comes next for an order of status %i', async (orderStatus, words) => {
  const island = await show({ orderStatus });
  await vi.waitFor(() => expect(island.textContent).toContain(words));
  expect(island.querySelector('img')).toBeNull();
});

it.each([1, 7, 10])('shows nothing for an order of status %i', async (orderStatus) => {
  expect((await show({ orderStatus, ...PICK_UP })).textContent).toBe('');
});

it.each([2, 100])('shows the code of a pick-up of status %i', async (orderStatus) => {
  const island = await show({ orderStatus, ...PICK_UP });
  await vi.waitFor(() => expect(island.textContent).toContain('012345'));
  expect(island.querySelector('img')?.getAttribute('src')).toBe(PICK_UP.pickupQr);
});

it('shows no code of a pick-up that came back', async () => {
  const island = await show({ orderStatus: 90, ...PICK_UP });
  await vi.waitFor(() => expect(island.textContent).toContain('come back to us'));
  expect(island.textContent).not.toContain('012345');
});
