import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { HONEY, QUIET, RICE, TEA } from '../testing/cart';
import { FakeShop } from '../testing/fake-shop';

const ADDRESS = {
  addressId: 5,
  contacts: 'Mei Chen',
  contactPhone: '0412345678',
  countryName: 'Australia',
  provinceName: 'WA',
  cityName: '6003',
  areaName: 'Northbridge',
  addressDetail: '12 High Street',
  zipCode: '6003',
  addType: 1,
  isDefault: true,
};
const WEEKEND = {
  goodsActionTypeId: 7,
  goodsActionTypeName: '周末',
  goodsActionTypeNameEn: 'Weekend',
  endTime: '01/01/2099 00:00',
  endTimeIso: '2099-01-01T00:00:00Z',
};

let shop: FakeShop;

/** Opens a page on which a customer has all that the shop knows of them. */
async function openPage() {
  vi.resetModules();
  const { loadTexts } = await import('../i18n');
  await loadTexts();
  const [session, cart, promotions, checkout, addresses, customer, windows, place, order] = await Promise.all(
    [
      import('./session'),
      import('./cart'),
      import('./promotion-cart'),
      import('./checkout'),
      import('./addresses'),
      import('./customer'),
      import('./windows'),
      import('./place'),
      import('./order-draft'),
    ],
  );
  await vi.advanceTimersByTimeAsync(1000);
  cart.add(RICE, 2);
  await vi.advanceTimersByTimeAsync(1000);
  promotions.put({ ...TEA, action: WEEKEND }, 1);
  checkout.startDraft(cart.checked.value);
  await Promise.all([addresses.loadAddresses(), customer.loadCustomer(), vi.advanceTimersByTimeAsync(1000)]);
  checkout.chooseAddress(addresses.checkedAddress.value);
  await vi.advanceTimersByTimeAsync(1000);
  await Promise.all([windows.loadWindows(), vi.advanceTimersByTimeAsync(1000)]);
  const known = () => ({
    session: [session.isLoggedIn.value, session.account.value, session.displayName.value],
    cart: cart.lines.value.length,
    promotions: promotions.groups.value.length,
    draft: [order.allLines(checkout.draft.value).length, checkout.draft.value.address?.addressee],
    addresses: addresses.addresses.value.length,
    customer: customer.customer.value?.account,
    windows: windows.windows.value?.offered,
    place: place.place.value?.city,
  });
  return { session, cart, checkout, promotions, known };
}

const ALL = {
  session: [true, 'mei@example.com', 'Mei'],
  cart: 1,
  promotions: 1,
  draft: [1, 'Mei Chen'],
  addresses: 1,
  customer: 'mei@example.com',
  windows: false,
  place: '6003',
};
const NOTHING = {
  session: [false, '', ''],
  cart: 0,
  promotions: 0,
  draft: [0, undefined],
  addresses: 0,
  customer: undefined,
  windows: undefined,
  place: undefined,
};

const left = () => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort();

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([RICE, TEA, HONEY]);
  shop.answers.set('/pc/user/userInfo', { account: 'mei@example.com', nickname: 'Mei' });
  shop.answers.set('/pc/setting/deliveryAddressNew', { list: [ADDRESS] });
  logInAs('mei@example.com');
});

it('clears session, carts, draft and addresses, in the browser and in memory', async () => {
  const { session, known } = await openPage();
  expect(known()).toEqual(ALL);
  await Promise.all([session.logOut(), vi.advanceTimersByTimeAsync(1000)]);
  expect(known()).toEqual(NOTHING);
  // The carts' checks belong to no customer now.
  expect(left()).toEqual([]);
});

it('clears the same in another open tab as soon as it hears of it', async () => {
  const { known } = await openPage();
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  expect(known()).toEqual(NOTHING);
  expect(left()).toEqual([]);
});

it('lets no other tab write anything back that has not heard of it yet, not even as it is left', async () => {
  const { cart, checkout, promotions } = await openPage();
  cart.add(HONEY, 1);
  const before = sessionStorage.getItem('shop.draft');
  localStorage.clear();
  checkout.goToPayment();
  promotions.put({ ...HONEY, action: WEEKEND }, 1);
  cart.change(RICE.goodsId, 1);
  await vi.advanceTimersByTimeAsync(QUIET + 1);
  window.dispatchEvent(new Event('pagehide'));
  expect(Object.keys(localStorage)).toEqual([]);
  expect(Object.keys(sessionStorage).filter((key) => key.endsWith('.unsaved'))).toEqual([]);
  expect(sessionStorage.getItem('shop.draft')).toBe(before);
  // What lies in this tab's own storage goes with its next page.
  vi.resetModules();
  await import('./session');
  expect(left()).toEqual([]);
});
