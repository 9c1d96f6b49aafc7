/*
 * The last place that freight was asked for: country, area and post code, without a name or a street. The cart shows
 * what sending there costs (docs/product.md#checkout). One that was typed is this browser's; one of a customer's
 * address goes with their logout.
 */
import { signal } from '@preact/signals-core';
import { type Place, placeOf } from './address';
import { account } from './session';
import { EXPIRES_AFTER_MINUTES, read, readShared, remove, write, writeShared } from './storage';

const KEY = 'place';

interface CustomersPlace {
  owner: string;
  place: Place;
}

export const place = signal<Place | null>(null);

/** Stores the place of a customer's address. */
export function rememberAddress(address: Place): void {
  write(localStorage, KEY, { owner: account.value, place: placeOf(address) } satisfies CustomersPlace);
  restore();
}

/** Stores a place that somebody typed. */
export function rememberTyped(typed: Place): void {
  remove(localStorage, KEY);
  writeShared(localStorage, KEY, placeOf(typed));
  restore();
}

function restore(): void {
  const theirs = read<CustomersPlace>(localStorage, KEY, EXPIRES_AFTER_MINUTES);
  const typed = readShared<Place>(localStorage, KEY, EXPIRES_AFTER_MINUTES);
  const stored = theirs?.owner === account.value ? theirs.place : typed;
  place.value = stored && Array.isArray(stored.cityName) ? stored : null;
}

restore();
document.addEventListener('shop:session', restore);
