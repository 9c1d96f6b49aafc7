// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import type { OrderDetail } from '../api/types';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

let shop: FakeShop;
const onChanged = vi.fn();

beforeEach(async () => {
  freshBrowser();
  onChanged.mockReset();
  shop = new FakeShop([]);
  shop.answers.set('/upload/oss/image', { imgUrl: '/pay/certificate/a?key=b' });
  logInAs('mei@example.com');
  const { loadTexts, loadTextsOf } = await import('../i18n');
  await loadTexts();
  await loadTextsOf('transfer');
});

const UNPAID = { orderNo: 'S1A', orderStatus: 1, payAmount: 20, leftToPay: 12.5, transfer: null };
const REVIEWED = {
  imgUrl: null,
  reason: '',
  reasonText: '',
  amount: null,
  createTime: '2026-12-01T01:00:00Z',
};

async function open(order: object = {}): Promise<HTMLElement> {
  const island = document.createElement('div');
  document.body.append(island);
  const { mountComponent } = await import('../ui/mount');
  const { Transfer } = await import('./Transfer');
  const shown = { ...UNPAID, ...order } as unknown as OrderDetail;
  await mountComponent(island, Transfer, { order: shown, onChanged });
  await vi.waitFor(() => expect(island.querySelector('h2')).not.toBeNull());
  return island;
}

async function choose(island: HTMLElement, file: File) {
  const input = island.querySelector('input') as HTMLInputElement;
  Object.defineProperty(input, 'files', { value: [file], configurable: true });
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

const send = (island: HTMLElement) =>
  island.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));

it('sends the picture after it was shown, and shows what the contract asks for', async () => {
  const island = await open();
  expect(island.textContent).toContain('A$12.50');
  await choose(island, new File(['a'], 'slip.png', { type: 'image/png' }));
  await vi.waitFor(() => expect(island.querySelector('img')?.alt).toBe('The picture that will be sent'));
  send(island);
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
  expect(shop.writes).toEqual(['POST /upload/oss/image', 'POST /pc/savePayCertificates']);
  expect(shop.requests.at(-1)?.body).toEqual({ imgUrl: '/pay/certificate/a?key=b', orderNo: 'S1A' });
  const { toasts } = await import('../ui/toast');
  expect(toasts.value.map(({ text }) => text)).toEqual([
    'Upload successful pending approval, Due to the transfer mechanism, it takes 1 day to confirm the receipt of the transfer information',
  ]);
});

it('takes no file that is no picture', async () => {
  const island = await open();
  await choose(island, new File(['a'], 'a.gif', { type: 'image/gif' }));
  await vi.waitFor(() =>
    expect(island.querySelector('.error')?.textContent).toContain('JPG, PNG or WebP of at most 5 MB'),
  );
  send(island);
  await vi.waitFor(() => expect(island.querySelector('.error')?.textContent).toContain('Choose a picture'));
  expect(shop.writes).toEqual([]);
});

it('sends no picture that is too large and cannot be made smaller', async () => {
  const island = await open();
  await choose(island, new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'a.jpg', { type: 'image/jpeg' }));
  send(island);
  await vi.waitFor(() =>
    expect(island.querySelector('.error')?.textContent).toContain('JPG, PNG or WebP of at most 5 MB'),
  );
  expect(shop.writes).toEqual([]);
});

it('shows why the shop refuses, and loads the order again', async () => {
  shop.refuseNext({ code: 1, msg: 'x', reason: 'order_timeout' });
  const island = await open();
  await choose(island, new File(['a'], 'slip.png', { type: 'image/png' }));
  send(island);
  await vi.waitFor(() => expect(onChanged).toHaveBeenCalledOnce());
  expect(island.querySelector('.error')?.textContent).toContain('timed out');
});

it.each([
  ['waiting', {}, 'Pay By Transfer Waiting For Review'],
  ['rejected', { reason: 'unreadable', reasonText: 'Only half' }, 'The picture cannot be read. Only half'],
  ['approved', { amount: 7.5 }, 'We have received A$7.50 by transfer.A$12.50 is still missing.'],
])('shows what became of a picture that is %s', async (status, facts, text) => {
  const island = await open({ transfer: { ...REVIEWED, status, ...facts } });
  expect(island.textContent).toContain(text);
  expect(island.querySelector('form')).not.toBeNull();
});

it('takes no picture for an order that is paid or has ended', async () => {
  const island = await open({
    orderStatus: 10,
    leftToPay: null,
    transfer: { ...REVIEWED, status: 'waiting' },
  });
  expect(island.querySelector('form')).toBeNull();
});
