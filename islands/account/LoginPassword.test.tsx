import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;
const onChanged = vi.fn();

const find = (selector: string) => document.querySelector<HTMLInputElement>(selector) as HTMLInputElement;
const errors = () =>
  [...document.querySelectorAll('.error')].map((error) => `${error.id}: ${error.textContent}`);

async function type(selector: string, text: string) {
  // React takes no notice of a value that is set on the element itself.
  Reflect.set(HTMLInputElement.prototype, 'value', text, find(selector));
  await act(async () => find(selector).dispatchEvent(new Event('input', { bubbles: true })));
}

async function submit() {
  const submitted = new Event('submit', { bubbles: true, cancelable: true });
  await act(async () => find('form').dispatchEvent(submitted));
  await act(() => vi.advanceTimersByTimeAsync(10));
}

beforeEach(async () => {
  freshBrowser();
  onChanged.mockClear();
  shop = new FakeShop([]);
  shop.answers.set('/pc/setting/login/password', 1);
  logInAs('mei@example.com');
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const { loadTextsOf } = await import('../i18n');
  await Promise.all([loadTextsOf('security'), loadTextsOf('login')]);
  const { mountComponent } = await import('../ui/mount');
  const { LoginPassword } = await import('./LoginPassword');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() => mountComponent(element, LoginPassword, { onChanged }));
});

it('asks for both passwords before it asks the shop', async () => {
  await type('#login-new-password', '12345');
  await submit();
  expect(errors()).toEqual([
    'login-old-password-error: Enter your old login password',
    'login-new-password-error: This password is too short: choose six digits, or at least seven characters',
  ]);
  expect(shop.requests).toEqual([]);
});

it('changes the password, empties the form and shows the page', async () => {
  await type('#login-old-password', '888888');
  await type('#login-new-password', 'correct horse');
  await submit();
  expect(shop.requests).toMatchObject([
    { method: 'PUT', body: { oldPassword: '888888', password: 'correct horse' } },
  ]);
  expect([find('#login-old-password').value, find('#login-new-password').value]).toEqual(['', '']);
  expect(onChanged).toHaveBeenCalledTimes(1);
});

it.each([
  ['old_password_wrong', 200, 0, 'login-old-password-error: Wrong old password'],
  ['too_frequent', 429, 900, 'login-old-password-error: Too many attempts. Try again in 15 minutes.'],
])('shows at the old password what is wrong: %s', async (reason, status, retryAfter, text) => {
  const fields = status === 200 ? { oldPassword: reason } : undefined;
  shop.refuseNext({ code: 1, status, reason, fields, retryAfter });
  await type('#login-old-password', '000000');
  await type('#login-new-password', 'correct horse');
  await submit();
  expect(errors()).toEqual([text]);
  expect(find('#login-old-password').value).toBe('000000');
  expect(onChanged).not.toHaveBeenCalled();
});
