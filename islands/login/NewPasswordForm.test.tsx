import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const find = <E extends HTMLElement = HTMLInputElement>(selector: string) =>
  document.querySelector<E>(selector) as E;
const errors = () => [...document.querySelectorAll('.error')].map((error) => error.id);
const summary = () => [...document.querySelectorAll('.summary-error li')].length;

async function type(selector: string, text: string) {
  const field = find(selector);
  field.focus();
  // React takes no notice of a value that is set on the element itself.
  Reflect.set(HTMLInputElement.prototype, 'value', text, field);
  await act(async () => field.dispatchEvent(new Event('input', { bubbles: true })));
}

async function submit() {
  const submitted = new Event('submit', { bubbles: true, cancelable: true });
  await act(async () => find('form').dispatchEvent(submitted));
}

const onSubmit = vi.fn();

beforeEach(async () => {
  freshBrowser();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.doMock('../addresses/regions', () => ({ loadCountries: async () => [] }));
  const { mountComponent } = await import('../ui/mount');
  const { NewPasswordForm } = await import('./NewPasswordForm');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() =>
    mountComponent(element, NewPasswordForm, { purpose: 'register', smsCountries: ['AU', 'CN'], onSubmit }),
  );
  await submit();
});

it('drops the error of each field as it is changed, and leaves the focus there', async () => {
  expect(errors()).toEqual(['new-account-error', 'new-code-error', 'new-password-error']);
  expect(document.activeElement).toBe(find('.summary-error'));
  await type('#new-account', 'mei@example.com');
  expect([errors(), summary()]).toEqual([['new-code-error', 'new-password-error'], 2]);
  expect(document.activeElement).toBe(find('#new-account'));
  await type('#new-code', '123456');
  await type('#new-password', 'correct horse');
  expect([errors(), summary()]).toEqual([[], 0]);
});

it('gives the focus to the same errors again, and drops the error of the server too', async () => {
  await type('#new-account', 'mei@example.com');
  await submit();
  expect(document.activeElement).toBe(find('.summary-error'));
  await type('#new-code', '123456');
  await type('#new-password', 'correct horse');
  const { ShopError } = await import('../api/errors');
  onSubmit.mockRejectedValueOnce(new ShopError({ code: 1, status: 200, reason: 'verification_code_error' }));
  await submit();
  expect(errors()).toEqual(['new-code-error']);
  expect(errors()).toEqual(['new-code-error']);
  await type('#new-code', '654321');
  expect([errors(), summary()]).toEqual([[], 0]);
});

it('drops the error of a mobile number as its dial code is changed', async () => {
  await act(async () => find('[type=radio]:not(:checked)').click());
  await submit();
  expect(errors()).toContain('new-account-error');
  const country = find<HTMLSelectElement>('#new-account-country');
  await act(async () => country.dispatchEvent(new Event('change', { bubbles: true })));
  expect(errors()).not.toContain('new-account-error');
});

it('sends a consent to news and offers only where its box was ticked', async () => {
  const box = find<HTMLInputElement>('.check [type=checkbox]');
  expect(box.checked).toBe(false);
  await type('#new-account', 'mei@example.com');
  await type('#new-code', '123456');
  await type('#new-password', 'correct horse');
  const entry = { account: 'mei@example.com', code: '123456', password: 'correct horse' };
  onSubmit.mockRejectedValueOnce(new Error());
  await submit();
  expect(onSubmit).toHaveBeenLastCalledWith(entry);
  await act(async () => box.click());
  await submit();
  expect(onSubmit).toHaveBeenLastCalledWith({ ...entry, marketing: true });
});
