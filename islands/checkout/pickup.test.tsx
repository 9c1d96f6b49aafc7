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

const NOON = Date.parse('2026-11-30T12:00:00Z');
const TIME = '01/12/2026 10:00';
const STORE = { shopNameEn: 'Perth', address: '1 High Street', openingHours: '10:00–16:00' };
const STORES = [
  {
    ...STORE,
    shopId: 1,
    shopName: '北桥店',
    available: false,
    missing: [
      { goodsId: 1, left: 2 },
      { goodsId: 2, left: 0 },
    ],
    slots: [],
  },
  {
    ...STORE,
    shopId: 2,
    shopName: '珀斯店',
    available: true,
    missing: [],
    slots: [{ terminalDateTime: TIME, left: 3 }],
  },
];

const find = <E extends Element>(selector: string) => document.querySelector<E>(selector);
const stores = () => find<HTMLFieldSetElement>('fieldset:has(input[name=shop])');
const describing = (control: Element | null) =>
  document.getElementById(control?.getAttribute('aria-describedby') ?? '')?.textContent;
const summary = () => [...document.querySelectorAll('.summary-error li')].map((each) => each.textContent);

async function goOn() {
  find<HTMLButtonElement>('.co-step > .actions button')?.click();
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(async () => {
  freshBrowser();
  vi.setSystemTime(NOON);
  const shop = new FakeShop([makeProduct(1), makeProduct(2)]);
  logInAs('mei@example.com');
  shop.refuseNext({ result: { list: [] } }, ({ path }) => path === '/pc/setting/deliveryAddressNew');
  shop.refuseNext({ result: STORES }, ({ path }) => path.startsWith('/pc/shops'));
  await (await import('../i18n')).loadTextsOf('wishes');
  const { add } = await import('../stores/cart');
  add(makeProduct(1), 3);
  add(makeProduct(2), 1);
  const island = document.createElement('shop-island');
  document.body.append(island);
  await (await import('.')).default(island, {
    step: 'delivery',
    rate: 5,
    pointsPerDollar: 100,
    idCardDays: 90,
  });
  await vi.waitFor(() => expect(find('input[name=shippingType]')).not.toBeNull());
  document.querySelectorAll<HTMLInputElement>('input[name=shippingType]')[1]?.click();
  await vi.waitFor(() => expect(stores()).not.toBeNull());
});

it('shows at the stores that one is to be chosen, until one is', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  expect(stores()?.hasAttribute('aria-invalid')).toBe(false);
  await goOn();
  expect(summary()).toEqual(['Choose a store']);
  expect(stores()?.getAttribute('aria-invalid')).toBe('true');
  expect(describing(stores())).toBe('Choose a store');
  expect(assign).not.toHaveBeenCalled();
  find<HTMLInputElement>('#first-shop')?.click();
  await vi.waitFor(() => expect(stores()?.hasAttribute('aria-invalid')).toBe(false));
  expect(stores()?.querySelector('.error')).toBeNull();
});

it('links to the first store that has the products', async () => {
  await goOn();
  find<HTMLAnchorElement>('.summary-error a')?.click();
  expect(document.activeElement).toBe(find('#first-shop'));
});

it('shows at the times that one is to be chosen', async () => {
  find<HTMLInputElement>('#first-shop')?.click();
  await vi.waitFor(() => expect(find('#pickup-time')).not.toBeNull());
  await goOn();
  expect(summary()).toEqual(['Choose a pick-up time']);
  const times = find('#pickup-time')?.closest('[role=radiogroup]') ?? null;
  expect(times?.getAttribute('aria-invalid')).toBe('true');
  expect(describing(times)).toBe('Choose a pick-up time');
});

it('shows beforehand which stores have all products', () => {
  const options = [...document.querySelectorAll('.option:has([name=shop])')];
  expect(options.map((option) => option.querySelector('.shop-has')?.textContent)).toEqual([
    'Short of 2 products',
    'Has all of your products',
  ]);
});

it('names what the chosen store lacks, and chooses one that has all by one press', async () => {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => {});
  find<HTMLInputElement>('input[name=shop]')?.click();
  await vi.waitFor(() => expect(find('.notice--warn')).not.toBeNull());
  await vi.advanceTimersByTimeAsync(0);
  expect([...document.querySelectorAll('.notice li')].map((line) => line.textContent)).toEqual(
    ['Product 2: none there', 'Product 1: 2 there, you want 3'].reverse(),
  );
  expect(find('#pickup-time')).toBeNull();
  await goOn();
  expect(summary()).toEqual(['Choose a store that has all of your products']);
  expect(assign).not.toHaveBeenCalled();
  find<HTMLButtonElement>('.notice .btn')?.click();
  await vi.waitFor(() => expect(document.activeElement).toBe(find('#pickup-time')));
  expect(find('.notice')).toBeNull();
  const { draft } = await import('../stores/checkout');
  expect(draft.value.pickup).toMatchObject({ pickupShopId: 2, pickupTime: '' });
});
