// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

vi.mock('../addresses/regions', async (original) => ({
  ...(await original<object>()),
  loadCountries: async () => [],
}));
vi.mock('../addresses/suburbs', async (original) => ({
  ...(await original<object>()),
  loadSuburbs: async () => [],
}));

const WINDOW = { deliverySlot: '01/12/2026 09:00', endTime: '01/12/2026 12:00', left: 2 };
const FULL = { deliverySlot: '01/12/2026 13:00', endTime: '01/12/2026 17:00', left: 0 };
const ADDRESS = {
  addressId: 5,
  addType: 1,
  contacts: 'Mei',
  contactPhone: '+61412345678',
  countryName: 'Australia',
  provinceName: 'WA',
  cityName: '',
  areaName: 'Perth',
  addressDetail: '1 Hay Street',
  zipCode: '6000',
  isDefault: true,
};

const find = <E extends Element>(selector: string) => document.querySelector<E>(selector);
const windowField = () => find<HTMLInputElement>('#delivery-window');
const group = () => windowField()?.closest('[role=radiogroup]');
const times = () => [...document.querySelectorAll<HTMLInputElement>('input[name=delivery-window-time]')];
const summary = () => [...document.querySelectorAll('.summary-error li')].map((each) => each.textContent);
let shop: FakeShop;

async function open(offered: object) {
  shop.answers.set('/pc/common/deliverySlots', offered);
  const island = document.createElement('shop-island');
  document.body.append(island);
  await (await import('.')).default(island, {
    step: 'delivery',
    rate: 5,
    pointsPerDollar: 100,
    idCardDays: 90,
  });
  const asked = () => shop.requests.some(({ path }) => path === '/pc/common/deliverySlots');
  await vi.waitFor(() => expect(asked()).toBe(true));
  await vi.waitFor(() => expect(find('.co-step .btn--lg:not([aria-busy=true])')).not.toBeNull());
}

async function goOn() {
  find<HTMLButtonElement>('.co-step > .actions button')?.click();
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(async () => {
  freshBrowser();
  vi.setSystemTime(Date.parse('2026-11-30T02:00:00Z'));
  shop = new FakeShop([makeProduct(1)]);
  logInAs('mei@example.com');
  shop.answers.set('/pc/setting/deliveryAddressNew', { list: [ADDRESS] });
  await (await import('../i18n')).loadTexts();
  (await import('../stores/cart')).add(makeProduct(1), 1);
});

it('asks for a window where the van goes, and sends it with the order', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  await open({ offered: true, slots: [WINDOW, FULL] });
  await vi.waitFor(() => expect(windowField()).not.toBeNull());
  expect(times().map(({ value, disabled }) => [value, disabled])).toEqual([
    [WINDOW.deliverySlot, false],
    [FULL.deliverySlot, true],
  ]);
  expect(times()[1]?.labels?.[0]?.textContent).toBe('13:00–17:00, fully booked');
  await goOn();
  expect(summary()).toEqual(['Choose a delivery window']);
  expect(group()?.getAttribute('aria-invalid')).toBe('true');
  expect(assign).not.toHaveBeenCalled();
  times()[0]?.click();
  find<HTMLInputElement>('input[type=checkbox]')?.click();
  await vi.waitFor(() => expect(summary()).toEqual([]));
  await goOn();
  expect(assign).toHaveBeenCalled();
  const { draft } = await import('../stores/checkout');
  const { orderRequest } = await import('../stores/order-draft');
  expect(draft.value.deliveryUntil).toBe(WINDOW.endTime);
  expect(orderRequest(draft.value)).toMatchObject({ deliverySlot: WINDOW.deliverySlot, leaveAtDoor: true });
});

it('shows the windows of one day at a time, and keeps what is chosen on another', async () => {
  const later = { deliverySlot: '02/12/2026 09:00', endTime: '02/12/2026 12:00', left: 1 };
  await open({ offered: true, slots: [WINDOW, FULL, later] });
  await vi.waitFor(() => expect(windowField()).not.toBeNull());
  times()[0]?.click();
  const days = document.querySelectorAll<HTMLInputElement>('input[name=delivery-window-day]');
  expect([...days].map((day) => day.checked)).toEqual([true, false]);
  days[1]?.click();
  await vi.waitFor(() => expect(times().map(({ value }) => value)).toEqual([later.deliverySlot]));
  expect(times()[0]?.checked).toBe(false);
  expect(find('.slots [role=status]')?.textContent).toContain('09:00–12:00');
  const { draft } = await import('../stores/checkout');
  expect(draft.value.deliverySlot).toBe(WINDOW.deliverySlot);
});

it('goes on without a window where all are full', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  await open({ offered: true, slots: [FULL] });
  await vi.waitFor(() =>
    expect(document.body.textContent).toContain(
      'All delivery windows for the next few days are full. Order anyway and we’ll arrange a time with you.',
    ),
  );
  await goOn();
  expect(assign).toHaveBeenCalled();
});

it('waits for the windows before it lets the customer go on', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  await open({ offered: true, slots: [WINDOW] });
  await vi.waitFor(() => expect(windowField()).not.toBeNull());
  shop.delay = 1000;
  const { loadWindows } = await import('../stores/windows');
  const loading = loadWindows();
  await vi.waitFor(() => expect(find('.co-step .btn--lg[aria-busy=true]')).not.toBeNull());
  await goOn();
  expect(assign).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1000);
  await loading;
  await goOn();
  expect(summary()).toEqual(['Choose a delivery window']);
});

it('lets the customer go on where the windows could not be loaded', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  shop.refusals.push({ match: ({ path }) => path === '/pc/common/deliverySlots', answer: 'offline' });
  await open({ offered: true, slots: [WINDOW] });
  await vi.waitFor(() => expect(find('.notice--danger')).not.toBeNull());
  await goOn();
  expect(assign).toHaveBeenCalled();
});

it('shows nothing for windows where the van does not go', async () => {
  await open({ offered: false, slots: [] });
  expect(windowField()).toBeNull();
  expect(find('input[type=checkbox]')).toBeNull();
});

it('drops a window that is offered no more', async () => {
  const checkout = await import('../stores/checkout');
  checkout.noteWishes({ deliverySlot: FULL.deliverySlot });
  await open({ offered: true, slots: [WINDOW, FULL] });
  await vi.waitFor(() => expect(checkout.draft.value.deliverySlot).toBe(''));
});

it('sends a remark and what to do where something is sold out', async () => {
  await open({ offered: false, slots: [] });
  const checkout = await import('../stores/checkout');
  checkout.noteWishes({ remark: 'Ring twice', soldOutWish: 'ask' });
  const { orderRequest } = await import('../stores/order-draft');
  expect(orderRequest(checkout.draft.value)).toMatchObject({ remark: 'Ring twice', soldOutWish: 'ask' });
});
