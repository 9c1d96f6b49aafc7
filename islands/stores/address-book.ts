/* What the address book alone does with the customer's addresses; the checkout does not load it. */
import { call } from '../api/client';
import { addresses, checkAddress, checkedAddress } from './addresses';

/**
 * Deletes an address. Raises ShopError.
 *
 * When it was the checked one, the first is checked instead; when it was the default, the newest other becomes
 * the default, as on the server.
 */
export async function removeAddress(addressId: number): Promise<void> {
  await call('DELETE', `/pc/setting/deliveryAddress/${addressId}`);
  const others = addresses.value.filter((address) => address.addressId !== addressId);
  const newest = Math.max(...others.map((address) => address.addressId ?? 0));
  addresses.value = others.some((address) => address.isDefault)
    ? others
    : others.map((address) => ({ ...address, isDefault: address.addressId === newest }));
  if (!checkedAddress.value) checkAddress(addresses.value[0]?.addressId);
}

/** Makes an address the default, which is the first. Raises ShopError. */
export async function makeDefault(addressId: number): Promise<void> {
  await call('PUT', '/pc/setting/deliveryAddress/default', { addressId });
  addresses.value = addresses.value
    .map((address) => ({ ...address, isDefault: address.addressId === addressId }))
    .sort((one, other) => Number(other.isDefault) - Number(one.isDefault));
}
