import { expect, test } from 'vitest';
import { emptyAddress } from './address';
import { isIdCard, needsIdCard } from './id-card';
import { emptyDraft } from './order-draft';

test.each(['11010519491231002X', '440524188001010014', ' 110105 19491231 002x'])(
  'eighteen digits are a number: %s',
  (number) => expect(isIdCard(number)).toBe(true),
);

test.each(['', '11010519491231002', '11010519491231002XX', 'eighteen letters a'])(
  'another one is not: "%s"',
  (number) => expect(isIdCard(number)).toBe(false),
);

test('only an order that is still to be sent to China needs it', () => {
  const to = (country: string) => ({
    ...emptyDraft(),
    deliveryType: 'delivery' as const,
    address: { ...emptyAddress(), country },
  });
  expect(needsIdCard(to('China'))).toBe(true);
  expect(needsIdCard(to('Taiwan'))).toBe(false);
  expect(needsIdCard(to('Australia'))).toBe(false);
  expect(needsIdCard({ ...to('China'), deliveryType: 'pickup' })).toBe(false);
  expect(needsIdCard({ ...to('China'), orderNo: 'S1' })).toBe(false);
});
