/*
 * The customer's addresses. At most one is checked; after loading, the first.
 *
 * See docs/product.md#addresses.
 */
import { computed, signal } from '@preact/signals-core';
import { call } from '../api/client';
import type { AddressList } from '../api/types';
import { type Address, fromServer, toServer } from './address';
import { account } from './session';

export type Loading = 'idle' | 'loading' | 'ready' | 'failed';

export const addresses = signal<Address[]>([]);
export const addressesState = signal<Loading>('idle');
/** Why the last load failed. */
export const addressesError = signal<unknown>(null);
export const checkedAddress = computed(() => addresses.value.find((address) => address.check) ?? null);

/** Fetches the addresses, default first, and checks the first unless one of them is checked already. */
export async function loadAddresses(): Promise<void> {
  if (addressesState.value === 'loading') return;
  addressesState.value = 'loading';
  const asking = account.value;
  try {
    const { list } = await call<AddressList>('POST', '/pc/setting/deliveryAddressNew', {});
    if (account.value !== asking) return;
    const before = checkedAddress.value?.addressId;
    addresses.value = list.map(fromServer);
    const stays = addresses.value.some((address) => address.addressId === before);
    checkAddress(stays ? before : addresses.value[0]?.addressId);
    addressesState.value = 'ready';
  } catch (error) {
    if (account.value !== asking) return;
    addressesError.value = error;
    addressesState.value = 'failed';
  }
}

/** Checks one address and no other; none when no address has the id. */
export function checkAddress(addressId: number | null | undefined): void {
  addresses.value = addresses.value.map((address) => ({
    ...address,
    check: address.addressId === addressId,
  }));
}

/**
 * Saves an address, puts it first and checks it, be it new or edited. Raises ShopError.
 *
 * `isConfirmed`: the customer has confirmed it, although the region data contradicts it.
 */
export async function saveAddress(address: Address, isConfirmed = false): Promise<Address> {
  const isNew = address.addressId === null;
  const { addressId } = await call<{ addressId: number }>(
    isNew ? 'POST' : 'PUT',
    '/pc/setting/deliveryAddress',
    { ...toServer(address), isConfirmed },
  );
  const saved = {
    ...address,
    addressId,
    isDefault: address.isDefault || (isNew && addresses.value.length === 0),
  };
  const others = addresses.value
    .filter((other) => other.addressId !== addressId)
    .map((other) => ({ ...other, isDefault: other.isDefault && !saved.isDefault }));
  addresses.value = [saved, ...others];
  checkAddress(addressId);
  return { ...saved, check: true };
}

document.addEventListener('shop:session', () => {
  addresses.value = [];
  addressesState.value = 'idle';
});
