// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { PayType } from '../api/types';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const way = (payType: string) =>
  ({
    payType,
    payCode: 'x',
    payName: payType,
    payNameEn: payType,
    payHint: '',
    payHintEn: '',
    img: '/x.webp',
  }) as PayType;

let shop: FakeShop;
const onPay = vi.fn();

const button = () => document.querySelector<HTMLElement>('.actions button');
const box = () => document.querySelector<HTMLInputElement>('input[type=checkbox]');
const radio = (index: number) => document.querySelectorAll<HTMLInputElement>('input[type=radio]')[index];

/** Types as a browser does: React hears of a value only where its own setter was not called. */
async function typePin(text: string) {
  const field = document.querySelector<HTMLInputElement>('#pay-password');
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field?.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(field?.value).toBe(text));
}

/** Opens the choice for 50 dollars, of a customer who has so much in the wallet. */
async function open(balance: number, ways = ['5', 'transfer', '0']) {
  shop.answers.set('/pc/payTypes', ways.map(way));
  shop.answers.set('/pc/user/userInfo', { account: 'mei@example.com', balance, hasPayPassword: true });
  const island = document.createElement('div');
  document.body.append(island);
  const { mountComponent } = await import('../ui/mount');
  const { PayChoice } = await import('./PayChoice');
  const props = {
    purchase: 'amount=50',
    amount: 5000,
    buttonLabel: (cents: number, isCollected: boolean) => (isCollected ? 'Place' : `Pay ${cents}`),
    busy: false,
    error: null,
  };
  await mountComponent(island, PayChoice, { ...props, onPay });
  await vi.waitFor(() => expect(button()?.textContent).toBe('Pay 5000'));
}

beforeEach(async () => {
  freshBrowser();
  onPay.mockReset();
  shop = new FakeShop([]);
  logInAs('mei@example.com');
  await (await import('../i18n')).loadTexts();
});

it('does not call it paying where staff collect the money later', async () => {
  await open(0, ['5', 'transfer']);
  radio(1)?.click();
  await vi.waitFor(() => expect(button()?.textContent).toBe('Place'));
});

it('pays what the wallet has first, and the rest by the chosen way', async () => {
  await open(12.3);
  await vi.waitFor(() => expect(box()).not.toBeNull());
  expect(document.body.textContent).toContain('Use A$12.30 from my wallet first');
  box()?.click();
  await vi.waitFor(() => expect(button()?.textContent).toBe('Pay 3770'));
  expect(document.body.textContent).toContain('A$37.70 left to pay by 5.');

  button()?.click();
  await vi.waitFor(() => expect(document.querySelector('.error')).not.toBeNull());
  expect(onPay).not.toHaveBeenCalled();

  await typePin('888888');
  button()?.click();
  expect(onPay).toHaveBeenCalledExactlyOnceWith('5', '888888', 1230);
});

it('pays all by the chosen way where the customer does not want to use the wallet', async () => {
  await open(12.3);
  await vi.waitFor(() => expect(box()).not.toBeNull());
  box()?.click();
  await vi.waitFor(() => expect(button()?.textContent).toBe('Pay 3770'));
  box()?.click();
  await vi.waitFor(() => expect(button()?.textContent).toBe('Pay 5000'));
  button()?.click();
  expect(onPay).toHaveBeenCalledExactlyOnceWith('5');
});

it('offers a wallet that has enough for all of it as a choice of its own', async () => {
  await open(50);
  await vi.waitFor(() => expect(document.body.textContent).toContain('Balance A$50.00'));
  await vi.advanceTimersByTimeAsync(1000);
  expect(box()).toBeNull();
  radio(2)?.click();
  await vi.waitFor(() => expect(document.querySelector('#pay-password')).not.toBeNull());
  await typePin('888888');
  button()?.click();
  expect(onPay).toHaveBeenCalledExactlyOnceWith('0', '888888', undefined);
});

it('offers no part of an empty wallet', async () => {
  await open(0);
  await vi.advanceTimersByTimeAsync(1000);
  expect(box()).toBeNull();
  expect(document.body.textContent).not.toContain('from my wallet first');
});

it('offers no part of a wallet that may not pay', async () => {
  await open(12.3, ['5', 'transfer']);
  await vi.waitFor(() => expect(shop.requests.some(({ path }) => path === '/pc/user/userInfo')).toBe(true));
  await vi.advanceTimersByTimeAsync(1000);
  expect(box()).toBeNull();
});

it('shows of a chosen wallet what it lacks, and links to a part of it and to topping it up', async () => {
  await open(12.3);
  await vi.waitFor(() => expect(document.body.textContent).toContain('Balance A$12.30, A$37.70 short'));
  radio(2)?.click();
  const link = () => document.querySelector('.option__body a');
  await vi.waitFor(() => expect(link()?.getAttribute('href')).toBe('/home/account/wallet'));
  expect(document.querySelector('#pay-password')).toBeNull();
  expect(button()?.getAttribute('aria-disabled')).toBe('true');
  button()?.click();
  expect(onPay).not.toHaveBeenCalled();

  const part = document.querySelector<HTMLElement>('.option__body button');
  expect(part?.textContent).toBe('Use A$12.30 and pay A$37.70 by 5');
  part?.click();
  await vi.waitFor(() => expect(button()?.textContent).toBe('Pay 3770'));
  expect(document.activeElement).toBe(radio(0));
  await vi.waitFor(() => expect(document.querySelector('#pay-password')).not.toBeNull());
  await typePin('888888');
  button()?.click();
  expect(onPay).toHaveBeenCalledExactlyOnceWith('5', '888888', 1230);
});

it('offers no part of an empty wallet that is chosen, only to top it up', async () => {
  await open(0);
  radio(2)?.click();
  await vi.waitFor(() => expect(document.querySelector('.option__body a')).not.toBeNull());
  expect(document.querySelector('.option__body button')).toBeNull();
});

it('takes a wallet that was topped up in another tab', async () => {
  await open(12.3);
  radio(2)?.click();
  await vi.waitFor(() => expect(document.querySelector('.option__body a')).not.toBeNull());
  shop.answers.set('/pc/user/userInfo', { account: 'mei@example.com', balance: 50, hasPayPassword: true });
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.waitFor(() => expect(document.querySelector('#pay-password')).not.toBeNull());
});

it('gives the focus to the pay password also where the button is pressed before its field has loaded', async () => {
  await open(90);
  radio(2)?.click();
  await Promise.resolve();
  expect(document.querySelector('#pay-password')).toBeNull();
  button()?.click();
  await vi.waitFor(() => expect(document.activeElement?.id).toBe('pay-password'));
  expect(onPay).not.toHaveBeenCalled();
});
