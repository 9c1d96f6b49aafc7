/*
 * The last place that freight was asked for: country, area and post code, without a name or a street. The cart, the
 * header and a product's page show it (docs/product.md#checkout). One that was typed is this browser's; one of a
 * customer's address goes with their logout.
 */
import { signal } from '@preact/signals-core';
import { placeOf } from './address';
import { type CustomersPlace, knownPlace, PLACE_KEY, type Place, type TypedPlace } from './known-place';
import { account } from './session';
import { remove, write, writeShared } from './storage';

export const place = signal<Place | null>(null);

/** Stores the place of a customer's address. */
export function rememberAddress(address: Place): void {
  write(localStorage, PLACE_KEY, { owner: account.value, place: placeOf(address) } satisfies CustomersPlace);
  restore();
}

/** Stores a place that was typed. */
export function rememberTyped(typed: Place): void {
  remove(localStorage, PLACE_KEY);
  const isGuests = account.value === '';
  writeShared(localStorage, PLACE_KEY, { ...placeOf(typed), isGuests } satisfies TypedPlace);
  restore();
}

function restore(): void {
  place.value = knownPlace(account.value);
  document.dispatchEvent(new Event('shop:place'));
}

restore();
document.addEventListener('shop:session', restore);
