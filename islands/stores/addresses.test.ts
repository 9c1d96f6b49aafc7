import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import type { ServerAddress } from '../api/types';
import { logInAs } from '../testing/browser';
import { emptyAddress, toServer } from './address';
import { makeDefault, removeAddress } from './address-book';
import {
  addresses,
  addressesState,
  checkAddress,
  checkedAddress,
  loadAddresses,
  saveAddress,
} from './addresses';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const row = (addressId: number, contacts: string): ServerAddress => ({
  ...toServer({ ...emptyAddress(), addressee: contacts }),
  addressId,
  isDefault: addressId === 1,
});
const names = () => addresses.value.map((address) => address.addressee);
const checkedNames = () =>
  addresses.value.filter((address) => address.check).map((address) => address.addressee);

describe('addresses', () => {
  beforeEach(async () => {
    addresses.value = [];
    vi.mocked(call)
      .mockReset()
      .mockResolvedValueOnce({ list: [row(1, 'Mei'), row(2, 'Lin')] });
    await loadAddresses();
  });

  it('checks the first after loading', () => {
    expect(addressesState.value).toBe('ready');
    expect(checkedNames()).toEqual(['Mei']);
  });

  it('keeps the checked address when loading again', async () => {
    checkAddress(2);
    vi.mocked(call).mockResolvedValueOnce({ list: [row(1, 'Mei'), row(2, 'Lin')] });
    await loadAddresses();
    expect(checkedNames()).toEqual(['Lin']);
  });

  it('checks one at a time', () => {
    checkAddress(2);
    expect(checkedNames()).toEqual(['Lin']);
  });

  it('puts a new address first and checks it', async () => {
    vi.mocked(call).mockResolvedValueOnce({ addressId: 3 });
    await saveAddress({ ...emptyAddress(), addressee: 'Jia' });
    expect(names()).toEqual(['Jia', 'Mei', 'Lin']);
    expect(checkedNames()).toEqual(['Jia']);
    expect(call).toHaveBeenLastCalledWith(
      'POST',
      '/pc/setting/deliveryAddress',
      expect.not.objectContaining({ addressId: 3 }),
    );
  });

  it('puts an edited address first and checks it', async () => {
    vi.mocked(call).mockResolvedValueOnce({ addressId: 2 });
    const [, lin] = addresses.value;
    await saveAddress({ ...emptyAddress(), ...lin, addressee: 'Lin Jianguo' });
    expect(names()).toEqual(['Lin Jianguo', 'Mei']);
    expect(checkedNames()).toEqual(['Lin Jianguo']);
    expect(addresses.value.map((address) => address.isDefault)).toEqual([false, true]);
    expect(call).toHaveBeenLastCalledWith(
      'PUT',
      '/pc/setting/deliveryAddress',
      expect.objectContaining({ addressId: 2 }),
    );
  });

  it('has at most one default, which is the first', async () => {
    vi.mocked(call).mockResolvedValueOnce(1);
    await makeDefault(2);
    expect(addresses.value.map(({ addressId, isDefault }) => [addressId, isDefault])).toEqual([
      [2, true],
      [1, false],
    ]);
  });

  it('checks another and makes it the default when the checked default is deleted', async () => {
    vi.mocked(call).mockResolvedValueOnce(1);
    await removeAddress(1);
    expect(names()).toEqual(['Lin']);
    expect(checkedAddress.value).toMatchObject({ addressee: 'Lin', isDefault: true });
  });

  it('changes nothing when the server refuses', async () => {
    const refusal = new ShopError({ code: 1002, status: 200, reason: 'address_error' });
    const before = addresses.value;
    for (const attempt of [() => removeAddress(1), () => makeDefault(2), () => saveAddress(emptyAddress())]) {
      vi.mocked(call).mockRejectedValueOnce(refusal);
      await expect(attempt()).rejects.toBe(refusal);
    }
    expect(addresses.value).toBe(before);
  });

  it('reports a failed load, and can load again', async () => {
    vi.mocked(call).mockRejectedValueOnce(new ShopError({ code: -1, status: 0, reason: 'network' }));
    await loadAddresses();
    expect(addressesState.value).toBe('failed');
    vi.mocked(call).mockResolvedValueOnce({ list: [] });
    await loadAddresses();
    expect(addressesState.value).toBe('ready');
  });

  it('forgets them with their customer, and drops an answer that comes later', async () => {
    let answer: (value: object) => void = () => undefined;
    vi.mocked(call).mockReturnValueOnce(new Promise((resolve) => (answer = resolve)) as never);
    const loading = loadAddresses();
    logInAs('jia@example.com');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect([names(), addressesState.value]).toEqual([[], 'idle']);
    answer({ list: [row(1, 'Mei')] });
    await loading;
    expect([names(), addressesState.value]).toEqual([[], 'idle']);
  });
});
