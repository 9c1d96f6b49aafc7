import { beforeEach, expect, it, vi } from 'vitest';
import { emptyAddress } from '../stores/address';
import { freshBrowser } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const errors = () =>
  [...document.querySelectorAll('.error')].map(
    (error) => error.parentElement?.querySelector('label')?.textContent,
  );

beforeEach(() => {
  freshBrowser();
  new FakeShop([]);
  vi.doMock('./regions', async (original) => ({
    ...(await original<object>()),
    loadCountries: async () => [],
    loadSuburbs: async () => [{ suburb: 'Perth', state: 'WA', postcode: '6000', council: '' }],
  }));
});

it('drops the errors of all fields that a chosen suburb fills in', async () => {
  await (await import('../i18n')).loadTextsOf('address');
  const { mountComponent } = await import('../ui/mount');
  const { AddressForm } = await import('./AddressForm');
  const element = document.createElement('div');
  document.body.append(element);
  const settled = () => vi.advanceTimersByTimeAsync(0);
  await mountComponent(element, AddressForm, {
    initial: emptyAddress(),
    saveLabel: 'Save',
    onSaved: vi.fn(),
  });
  await settled();
  document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settled();
  const others = ['Recipient’s full name', 'Recipient’s phone', 'Street address'];
  expect(errors()).toEqual([...others, 'Suburb', 'State', 'Postcode']);

  const field = document.querySelector('[role=combobox]') as HTMLInputElement;
  Reflect.set(HTMLInputElement.prototype, 'value', 'Perth', field);
  field.dispatchEvent(new Event('input', { bubbles: true }));
  await settled();
  expect(errors()).toEqual([...others, 'State', 'Postcode']);
  document.querySelector<HTMLElement>('[role=option]')?.click();
  await settled();
  expect(errors()).toEqual(others);
});
