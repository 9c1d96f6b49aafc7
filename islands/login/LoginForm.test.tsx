import { act } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const attempt = vi.fn();
const onSession = vi.fn();
let passCheck: (ticket: string) => Promise<void>;

const find = (selector: string) => document.querySelector<HTMLInputElement>(selector) as HTMLInputElement;
const summary = () => document.querySelector('.summary-error');
const isChecking = () => document.querySelector('[data-check]') !== null;

async function type(selector: string, text: string) {
  // React takes no notice of a value that is set on the element itself.
  Reflect.set(HTMLInputElement.prototype, 'value', text, find(selector));
  await act(async () => find(selector).dispatchEvent(new Event('input', { bubbles: true })));
}

const submit = () =>
  act(async () => find('form').dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));

async function refusal(reason: string) {
  const { ShopError } = await import('../api/errors');
  return new ShopError({ code: 1, status: 200, reason });
}

beforeEach(async () => {
  freshBrowser();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  attempt.mockReset();
  onSession.mockReset();
  vi.doMock('./attempt', () => ({ logIn: attempt }));
  vi.doMock('../form/SecurityCheck', () => ({
    SecurityCheck: ({ onTicket }: { onTicket: (ticket: string) => Promise<void> }) => {
      passCheck = onTicket;
      return <i data-check />;
    },
  }));
  const { loadTextsOf } = await import('../i18n');
  await Promise.all([loadTextsOf('login'), loadTextsOf('captcha')]);
  const { mountComponent } = await import('../ui/mount');
  const { LoginForm } = await import('./LoginForm');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() => mountComponent(element, LoginForm, { initialAccount: '', onSession }));
  await type('#login-account', 'mei@example.com');
  await type('#login-password', '888888');
});

it('goes on automatically once the security check is passed, with what is typed by then', async () => {
  attempt.mockResolvedValueOnce(null).mockResolvedValueOnce({ token: 'token' });
  await submit();
  expect([isChecking(), summary()]).toEqual([true, null]);
  await type('#login-password', '999999');
  await act(() => passCheck('ticket'));
  expect(attempt.mock.lastCall).toEqual(['mei@example.com', '999999', 'ticket']);
  expect(onSession).toHaveBeenCalledExactlyOnceWith({ token: 'token' });
});

it.each([
  ['account_or_password_wrong', 'incorrect'],
  ['too_frequent', 'too frequent'],
])('gives the focus to the errors after the check where the login is refused: %s', async (reason, text) => {
  attempt.mockResolvedValueOnce(null).mockRejectedValueOnce(await refusal(reason));
  await submit();
  await act(() => passCheck('ticket'));
  expect(summary()?.textContent).toContain(text);
  expect(document.activeElement).toBe(summary());
  expect(isChecking()).toBe(false);
  expect(onSession).not.toHaveBeenCalled();
});
