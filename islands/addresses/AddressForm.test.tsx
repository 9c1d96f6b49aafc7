import { readFileSync } from 'node:fs';
// It must see the real timers first, or it would wait for those of an earlier test.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { type Address, emptyAddress } from '../stores/address';
import { freshBrowser } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const errors = () =>
  [...document.querySelectorAll('.error')].map(
    (error) => error.parentElement?.querySelector('label')?.textContent,
  );

const field = <E extends HTMLElement = HTMLInputElement>(name: string) =>
  document.querySelector(`[id$=${name}]`) as E;
/** The fields of an area, in their order. */
const parts = () =>
  [...document.querySelectorAll<HTMLElement>('input, select')].flatMap(
    ({ id }) => /(province|town|area|postcode)$/.exec(id)?.[0] ?? [],
  );
const settled = () => vi.advanceTimersByTimeAsync(0);

async function set(element: HTMLInputElement | HTMLSelectElement, value: string) {
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')?.set?.call(element, value);
  element.dispatchEvent(
    new Event(element instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }),
  );
  await settled();
}

async function send() {
  document.querySelector('form')?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  await settled();
}

let shop: FakeShop;
/** The paths of the calls. */
let asked: string[];
let onSaved: (address: Address) => void;

async function open(initial: Partial<Address> = {}) {
  const { loadTextsOf } = await import('../i18n');
  await Promise.all([loadTextsOf('address'), loadTextsOf('place')]);
  const { mountComponent } = await import('../ui/mount');
  const { AddressForm } = await import('./AddressForm');
  const element = document.createElement('div');
  document.body.append(element);
  onSaved = vi.fn();
  await mountComponent(element, AddressForm, {
    initial: { ...emptyAddress(), ...initial },
    saveLabel: 'Save',
    onSaved,
  });
  await settled();
}

beforeEach(() => {
  freshBrowser();
  shop = new FakeShop([]);
  const answer = fetch;
  asked = [];
  vi.stubGlobal('fetch', async (path: string, request: RequestInit) => {
    if (path.startsWith('/static/')) return new Response(readFileSync(path.slice(1), 'utf8'));
    asked.push(path);
    return answer(path, request);
  });
});

it('drops the errors of all fields that a chosen suburb fills in', async () => {
  await open();
  await send();
  const others = ['Recipient’s full name', 'Recipient’s phone', 'Street address'];
  expect(errors()).toEqual([...others, 'Suburb', 'State', 'Postcode']);

  await set(field('area'), 'Perth WA');
  expect(errors()).toEqual([...others, 'State', 'Postcode']);
  await vi.waitFor(() => expect(document.querySelector('[role=option]')).not.toBeNull());
  document.querySelector<HTMLElement>('[role=option]')?.click();
  await settled();
  expect(errors()).toEqual(others);
});

const PERSON = { addressee: 'Mei', phone: '0412 345 678', addressDetails: '1 High Street' };

it('offers the suburbs of a council of Perth, whose post code it fills in', async () => {
  await open(PERSON);
  expect(field('town')).toBeNull();
  expect(parts()).toEqual(['area', 'province', 'postcode']);
  await set(field('area'), 'Dianella');
  await set(field<HTMLSelectElement>('province') as never, 'WA');
  await vi.waitFor(() => expect(field('town').querySelectorAll('option')).toHaveLength(32));
  expect(parts()).toEqual(['province', 'town', 'area', 'postcode']);
  await set(field('town'), 'Stirling');
  expect([field('area').value, field('postcode').value]).toEqual(['Dianella', '6059']);
  await set(field('town'), 'Canning');
  expect([field('area').value, field('postcode').value]).toEqual(['', '']);
  await set(field('area'), 'Cannington');
  expect([field('area').value, field('postcode').value]).toEqual(['Cannington', '6107']);
  expect(parts()).toEqual(['province', 'town', 'area', 'postcode']);
  await set(field('town'), '');
  expect([field('area').value, field('postcode').value]).toEqual(['Cannington', '6107']);
});

it('shows which part cannot go with the others, and sends nothing', async () => {
  await open({ ...PERSON, cityName: ['WA', '', 'Northbridge'], city: '6003' });
  await set(field('postcode'), '6000');
  await send();
  await vi.waitFor(() => expect(errors()).toEqual(['Postcode']));
  expect(asked.filter((path) => path.includes('deliveryAddress'))).toEqual([]);
});

it('sends a post code that the data does not know there once the customer has confirmed it', async () => {
  await open({ ...PERSON, cityName: ['QLD', '', 'Blackbutt'], city: '4306' });
  const box = () => document.querySelector<HTMLInputElement>('[type=checkbox]');
  await set(field('postcode'), '6000');
  await send();
  await vi.waitFor(() => expect(errors()).toEqual(['Postcode']));
  // Freight depends on the state.
  expect(box()).toBeNull();

  await set(field('postcode'), '4314');
  await send();
  await vi.waitFor(() => expect(box()).not.toBeNull());
  expect(errors()).toEqual(['Postcode']);
  box()?.click();
  await settled();
  await set(field('postcode'), '4315');
  expect(box()).toBeNull();
  await set(field('postcode'), '4314');
  shop.answers.set('/pc/setting/deliveryAddress', { addressId: 7 });
  await send();
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalled());
  expect(shop.requests.at(-1)?.body).toMatchObject({ zipCode: '4314', isConfirmed: true });
});

it('asks about a suburb that is in no list, since it may be misspelt', async () => {
  await open({ ...PERSON, cityName: ['WA', '', 'Northbridge'], city: '6003' });
  await set(field('area'), 'Northbrigde');
  await send();
  await vi.waitFor(() => expect(errors()).toEqual(['Suburb']));
  expect(document.querySelector('[type=checkbox]')).not.toBeNull();
  expect(asked.filter((path) => path.includes('deliveryAddress'))).toEqual([]);
});

it('keeps and sends what is not in the data where it stays', async () => {
  await open({ ...PERSON, addressId: 7, country: 'China', cityName: ['上海市', '市辖区', '黄浦区'] });
  expect(['province', 'town', 'area'].map((name) => field(name).value)).toEqual([
    '上海市',
    '市辖区',
    '黄浦区',
  ]);
  shop.answers.set('/pc/setting/deliveryAddress', { addressId: 7 });
  await set(field('addressee'), 'Mei Lin');
  await send();
  await vi.waitFor(() => expect(asked.at(-1)).toMatch(/deliveryAddress$/));
  expect(onSaved).toHaveBeenCalledWith(expect.objectContaining({ addressee: 'Mei Lin' }));
});
