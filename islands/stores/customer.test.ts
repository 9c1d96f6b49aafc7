import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([]);
  shop.delay = 100;
  logInAs('mei@example.com');
});

/** Another tab logs another customer in. */
function replaceCustomer() {
  logInAs('jia@example.com');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
}

it('forgets a customer whom another tab has replaced, and asks for the new one', async () => {
  const { customer, loadCustomer } = await import('./customer');
  shop.refuseNext({ result: { balance: 500 } });
  await Promise.all([loadCustomer(), vi.runAllTimersAsync()]);
  expect(customer.value).toEqual({ balance: 500 });
  replaceCustomer();
  expect(customer.value).toBeNull();
  shop.refuseNext({ result: { balance: 0 } });
  await Promise.all([loadCustomer(), vi.runAllTimersAsync()]);
  expect(customer.value).toEqual({ balance: 0 });
});

it('drops an answer about a customer who has been replaced in the meantime', async () => {
  const { customer, loadCustomer } = await import('./customer');
  shop.refuseNext({ result: { balance: 500 } });
  const loading = loadCustomer();
  replaceCustomer();
  await Promise.all([loading, vi.runAllTimersAsync()]);
  expect(customer.value).toBeNull();
});
