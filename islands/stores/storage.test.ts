import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';

const MINUTE = 60_000;

beforeEach(freshBrowser);

const openPage = async () => {
  vi.resetModules();
  return import('./storage');
};

const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * MINUTE);

describe('a value in the local cache', () => {
  it('expires after 43,200 minutes, or after those that it was stored for, and is removed on read', async () => {
    const storage = await openPage();
    storage.write(localStorage, 'cart', [1]);
    storage.writeShared(localStorage, 'seen', [2], 10);
    pass(9.9);
    expect(storage.readShared(localStorage, 'seen')).toEqual([2]);
    pass(0.1);
    expect(storage.readShared(localStorage, 'seen')).toBeNull();
    expect(Object.keys(localStorage).sort()).toEqual(['shop.cart', 'shop.cart.expires']);
    pass(43_200 - 10.1);
    expect(storage.read(localStorage, 'cart')).toEqual([1]);
    pass(0.1);
    expect(storage.read(localStorage, 'cart')).toBeNull();
    expect(localStorage).toHaveLength(0);
  });

  it('is renewed by writing, and by reading where that is asked for alone', async () => {
    const storage = await openPage();
    storage.write(localStorage, 'cart', 1, 10);
    storage.write(localStorage, 'news', 1, 10);
    pass(6);
    expect([storage.read(localStorage, 'cart', 10), storage.read(localStorage, 'news')]).toEqual([1, 1]);
    pass(6);
    expect([storage.read(localStorage, 'cart'), storage.read(localStorage, 'news')]).toEqual([1, null]);
    storage.write(localStorage, 'cart', 2, 10);
    pass(9);
    expect(storage.read(localStorage, 'cart')).toBe(2);
  });

  it('of an earlier release, which has no end, is taken over and expires from then on', async () => {
    localStorage.setItem('shop.cart', '[7]');
    pass(100_000);
    const storage = await openPage();
    expect(storage.read(localStorage, 'cart')).toEqual([7]);
    pass(43_199);
    expect(storage.read(localStorage, 'cart')).toEqual([7]);
    pass(1);
    expect(storage.read(localStorage, 'cart')).toBeNull();
  });

  it('ends with its tab alone in session storage', async () => {
    const storage = await openPage();
    storage.write(sessionStorage, 'draft', 1);
    pass(100_000);
    expect(storage.read(sessionStorage, 'draft')).toBe(1);
    expect(Object.keys(sessionStorage)).toEqual(['shop.draft']);
  });

  it('is not stored for a customer whom another tab has logged out', async () => {
    logInAs('mei@example.com');
    const storage = await openPage();
    expect(storage.write(localStorage, 'cart', 1)).toBe(true);
    localStorage.clear();
    expect(storage.write(localStorage, 'cart', 1)).toBe(false);
    logInAs('lin@example.com');
    expect(storage.write(sessionStorage, 'draft', 1)).toBe(false);
    expect([localStorage.getItem('shop.cart'), sessionStorage.getItem('shop.draft')]).toEqual([null, null]);
  });
});
