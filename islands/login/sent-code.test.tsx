import { act } from 'react';
import { expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const find = <E extends HTMLElement = HTMLInputElement>(selector: string) =>
  document.querySelector<E>(selector) as E;
const status = () => document.querySelector('[role=status]')?.textContent;

let pass: (ticket: string) => Promise<void>;

/** Opens the form as a page that was just loaded. */
async function open(purpose: 'register' | 'reset') {
  document.body.replaceChildren();
  vi.resetModules();
  const { loadTextsOf } = await import('../i18n');
  await Promise.all([loadTextsOf('login'), loadTextsOf('captcha')]);
  const { mountComponent } = await import('../ui/mount');
  const { NewPasswordForm } = await import('./NewPasswordForm');
  const element = document.createElement('div');
  document.body.append(element);
  const onSubmit = vi.fn(async () => {});
  await act(() => mountComponent(element, NewPasswordForm, { purpose, smsCountries: ['AU'], onSubmit }));
}

async function type(selector: string, text: string) {
  // React takes no notice of a value that is set on the element itself.
  Reflect.set(HTMLInputElement.prototype, 'value', text, find(selector));
  await act(async () => find(selector).dispatchEvent(new Event('input', { bubbles: true })));
}

it('still knows after a reload that a code was sent and to whom, until it is used or too old', async () => {
  freshBrowser();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.doMock('../addresses/regions', () => ({ loadCountries: async () => [] }));
  vi.doMock('../form/SecurityCheck', () => ({
    SecurityCheck: ({ onTicket }: { onTicket: typeof pass }) => {
      pass = onTicket;
      return null;
    },
  }));
  const shop = new FakeShop([]);
  shop.answers.set('/pc/common/sendCode', 1);
  await open('register');
  await type('#new-account', 'mei@example.com');
  await act(async () => find<HTMLButtonElement>('.code-row button').click());
  await act(() => Promise.all([pass('ticket'), vi.advanceTimersByTimeAsync(1000)]));

  await open('register');
  expect(find('#new-account').value).toBe('mei@example.com');
  expect(status()).toContain('mei@example.com');
  expect(find<HTMLButtonElement>('.code-row button').textContent).toContain('Send again');
  await open('reset');
  expect([find('#new-account').value, status()]).toEqual(['', '']);

  await open('register');
  await type('#new-code', '123456');
  await type('#new-password', 'correct horse');
  const stored = JSON.stringify([...Object.values(sessionStorage), ...Object.values(localStorage)]);
  expect(stored).not.toMatch(/123456|correct horse/);
  await act(async () => find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  await open('register');
  expect(find('#new-account').value).toBe('');

  const { keepSentCode } = await import('./sent-code');
  keepSentCode('register', '+61412345678');
  await open('register');
  expect(find('#new-account').value).toBe('+61412345678');
  vi.setSystemTime(Date.now() + 10 * 60_000);
  await open('register');
  expect(find('#new-account').value).toBe('');
});
