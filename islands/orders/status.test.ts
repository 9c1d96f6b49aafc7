import { beforeEach, expect, it } from 'vitest';
import type { Order } from '../api/types';
import { loadTexts, loadTextsOf } from '../i18n';
import { freshBrowser } from '../testing/browser';
import { heldText, isHeld } from './status';

const held = (payType: string, shippingType = 2) =>
  ({ orderStatus: 1, payType, shippingType, expireTime: '2026-12-02T01:00:00Z' }) as Order;

beforeEach(async () => {
  freshBrowser();
  await Promise.all([loadTexts(), loadTextsOf('orders')]);
});

it.each([
  [held('1'), 'Contact us to pay.'],
  [held('transfer', 3), 'Transfer the amount.'],
  [held('cashOnDelivery', 3), 'Pay in store when you pick it up.'],
  [held('cashOnDelivery'), 'Pay when it’s delivered.'],
])('shows of a held order how and until when it is paid', (order, how) => {
  expect(isHeld(order)).toBe(true);
  expect(heldText(order)).toContain(`${how} Held for you until 2 Dec 2026`);
});

it('holds neither an order that is paid here nor one that is paid', () => {
  expect(isHeld(held('5'))).toBe(false);
  expect(isHeld({ ...held('1'), orderStatus: 2 })).toBe(false);
});
