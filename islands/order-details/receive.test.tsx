// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;
const onReceived = vi.fn();

beforeEach(async () => {
  freshBrowser();
  onReceived.mockReset();
  shop = new FakeShop([]);
  logInAs('mei@example.com');
  const { loadTexts, loadTextsOf } = await import('../i18n');
  await loadTexts();
  await loadTextsOf('orders');
});

const buttonNamed = (text: string) =>
  [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text);

async function press(text: string) {
  await vi.waitFor(() => expect(buttonNamed(text)).toBeDefined());
  buttonNamed(text)?.click();
}

async function open() {
  const island = document.createElement('div');
  document.body.append(island);
  const { mountComponent } = await import('../ui/mount');
  const { Receive } = await import('./Receive');
  await mountComponent(island, Receive, { orderNo: 'S1A', onReceived });
}

const toasts = async () => (await import('../ui/toast')).toasts.value.map(({ kind, text }) => [kind, text]);

it('confirms the receipt after a question, once', async () => {
  await open();
  await press('Confirm receipt');
  expect(shop.writes).toEqual([]);
  await press('Yes, everything is here');
  await vi.waitFor(() => expect(onReceived).toHaveBeenCalledOnce());
  expect(shop.writes).toEqual(['PUT /pc/order/receive/S1A']);
  expect(await toasts()).toEqual([['ok', 'Thank you, the order is complete']]);
  await vi.waitFor(() => expect(document.querySelector('dialog')).toBeNull());
});

it('confirms nothing where the customer shows not yet', async () => {
  await open();
  await press('Confirm receipt');
  await press('Not yet');
  await vi.waitFor(() => expect(document.querySelector('dialog')).toBeNull());
  expect(shop.writes).toEqual([]);
  expect(onReceived).not.toHaveBeenCalled();
});

it('shows why the shop refuses, and loads the order again', async () => {
  shop.refuseNext({ code: 1, msg: 'x', reason: 'not_receivable' });
  await open();
  await press('Confirm receipt');
  await press('Yes, everything is here');
  await vi.waitFor(() => expect(onReceived).toHaveBeenCalledOnce());
  expect((await toasts()).map(([kind]) => kind)).toEqual(['error']);
});
