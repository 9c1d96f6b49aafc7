// Its scheduler must not take a clock of one test, which stands still in the next.
import 'react-dom/client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop, makeProduct } from '../testing/fake-shop';

vi.mock('../addresses/regions', async (original) => ({
  ...(await original<object>()),
  loadCountries: async () => [],
  loadSuburbs: async () => [],
}));

const RICE = makeProduct(1);
const SAUCE = makeProduct(2, { memberPrice: 3.33 });
const NOON = Date.parse('2026-11-30T12:00:00Z');
const WEEKEND = {
  goodsActionTypeId: 7,
  goodsActionTypeName: '周末',
  goodsActionTypeNameEn: 'Weekend',
  endTime: '30/11/2026 20:00',
  endTimeIso: new Date(NOON + 3_600_000).toISOString(),
};

const find = <E extends Element>(selector: string) => document.querySelector<E>(selector);
const labelled = (label: string) => {
  const found = [...document.querySelectorAll('label')].find((each) => each.textContent?.startsWith(label));
  return (found?.htmlFor ? document.getElementById(found.htmlFor) : found?.querySelector('input')) as
    | HTMLInputElement
    | undefined;
};
const leave = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** Types as a browser does: React hears of a value only where its own setter was not called. */
async function type(label: string, text: string) {
  const field = labelled(label);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field?.dispatchEvent(new Event('input', { bubbles: true }));
  await vi.waitFor(() => expect(field?.getAttribute('value')).toBe(text));
}

async function choose(value: 'delivery' | 'pickup') {
  const radios = document.querySelectorAll<HTMLInputElement>('input[name=shippingType]');
  radios[value === 'delivery' ? 0 : 1]?.click();
  await vi.advanceTimersByTimeAsync(0);
}

let shop: FakeShop;

async function open(step: 'delivery' | 'payType') {
  const island = document.createElement('shop-island');
  document.body.append(island);
  const { default: mount } = await import('.');
  await mount(island, { step, rate: 5 });
  await vi.advanceTimersByTimeAsync(1000);
}

beforeEach(async () => {
  freshBrowser();
  vi.setSystemTime(NOON);
  shop = new FakeShop([RICE, SAUCE]);
  logInAs('mei@example.com');
  shop.refuseNext({ result: { list: [] } }, ({ path }) => path === '/pc/setting/deliveryAddressNew');
  const { loadTexts } = await import('../i18n');
  await loadTexts();
});

describe('the delivery step of a customer without addresses', () => {
  beforeEach(async () => {
    const promotions = await import('../stores/promotion-cart');
    promotions.put({ ...SAUCE, action: WEEKEND }, 2);
    await open('delivery');
    await vi.waitFor(() => expect(labelled('Recipient’s full name')).toBeDefined());
    shop.refuseNext({ result: [] }, ({ path }) => path.startsWith('/pc/shops'));
  });

  it('keeps a half-typed address while pick-up is looked at', async () => {
    await type('Recipient’s full name', 'Jia');
    await choose('pickup');
    expect(find<HTMLElement>('form.panel')?.closest('[hidden]')).not.toBeNull();
    await choose('delivery');
    expect(find('form.panel')?.closest('[hidden]')).toBeNull();
    expect(labelled('Recipient’s full name')?.value).toBe('Jia');
  });

  it('asks before a half-typed address is left, but not for pick-up or where nothing was typed', async () => {
    expect(leave()).toBe(true);
    await type('Recipient’s full name', 'Jia');
    expect(leave()).toBe(false);
    await choose('pickup');
    expect(leave()).toBe(true);
    await choose('delivery');
    await type('Recipient’s full name', '');
    expect(leave()).toBe(true);
  });

  it('asks nothing when it goes with its customer', async () => {
    vi.spyOn(location, 'reload').mockImplementation(() => {});
    await type('Recipient’s full name', 'Jia');
    localStorage.removeItem('token');
    window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    expect(leave()).toBe(true);
  });
});

describe('the summary', () => {
  it('names the products of a promotion apart', async () => {
    const promotions = await import('../stores/promotion-cart');
    promotions.put({ ...SAUCE, action: WEEKEND }, 2);
    const cart = await import('../stores/cart');
    await vi.advanceTimersByTimeAsync(1000);
    cart.add(RICE, 1);
    await vi.advanceTimersByTimeAsync(1000);
    await open('delivery');
    const rows = [...document.querySelectorAll('.totals > div')].map((row) => row.textContent);
    expect(rows.slice(0, 2)).toEqual(['Products (1)A$3.90', 'Weekend (2)A$6.66']);
  });

  it('has no other row of products where all are of a promotion', async () => {
    const promotions = await import('../stores/promotion-cart');
    promotions.put({ ...SAUCE, action: WEEKEND }, 2);
    await open('delivery');
    expect(find('.totals dt')?.textContent).toBe('Weekend (2)');
  });
});
