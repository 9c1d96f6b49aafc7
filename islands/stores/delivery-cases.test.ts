import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ServerAddress } from '../api/types';
import { emptyAddress, fromServer } from './address';
import { type DeliveryType, deliveryComplete, emptyDraft, shippingType } from './order-draft';
import { isPoBox } from './po-box';

interface Cases {
  addresses: {
    name: string;
    address: Omit<ServerAddress, 'addressId' | 'addType' | 'isDefault'>;
    complete: boolean;
  }[];
  pickups: { name: string; shopId: number | null; terminalDateTime: string; complete: boolean }[];
  shippingTypes: { deliveryType: DeliveryType; country: string; shippingType: string }[];
  poBoxes: { detail: string; isBox: boolean }[];
}

/** The cases that the server's tests read as well: commerce/orders/tests/test_delivery_cases.py. */
const cases: Cases = JSON.parse(readFileSync('commerce/orders/tests/delivery_cases.json', 'utf8'));

describe('a delivery', () => {
  it.each(cases.addresses)('is complete or not with $name', ({ address, complete }) => {
    const chosen = fromServer({ addressId: 1, addType: 1, isDefault: false, ...address });
    expect(deliveryComplete({ ...emptyDraft(), address: chosen })).toBe(complete);
  });

  it('is not complete without an address, or by a way without a destination', () => {
    const [{ address } = { address: null }] = cases.addresses;
    const chosen = address && fromServer({ addressId: 1, addType: 1, isDefault: false, ...address });
    expect(deliveryComplete({ ...emptyDraft(), address: null })).toBe(false);
    expect(deliveryComplete({ ...emptyDraft(), address: chosen, deliveryType: 'fature' })).toBe(false);
  });
});

describe('a pick-up', () => {
  it.each(cases.pickups)('is complete or not with $name', ({ shopId, terminalDateTime, complete }) => {
    const pickup = { pickupShopId: shopId, pickupShoName: 'Perth', pickupTime: terminalDateTime };
    expect(deliveryComplete({ ...emptyDraft(), deliveryType: 'pickup', pickup })).toBe(complete);
  });
});

it.each(cases.shippingTypes)('has the code "$shippingType" for $deliveryType, $country', (row) => {
  const address = { ...emptyAddress(), country: row.country };
  expect(String(shippingType({ deliveryType: row.deliveryType, address }))).toBe(row.shippingType);
});

it('has no code for a delivery without an address', () => {
  expect(shippingType(emptyDraft())).toBe('');
});

it('recognises a PO box by the street line', () => {
  expect(cases.poBoxes.map(({ detail }) => isPoBox(detail))).toEqual(cases.poBoxes.map(({ isBox }) => isBox));
});
