import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const PERTH = { country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' };
const SYDNEY = { country: 'Australia', cityName: ['NSW', '', 'Sydney'], city: '2000' };

/** Loads the stores as a new page does. */
async function openPage() {
  vi.resetModules();
  return { ...(await import('./place')), session: await import('./session') };
}

beforeEach(() => {
  freshBrowser();
  new FakeShop([]);
});

it('keeps the place that a guest has typed, also through a login and a logout', async () => {
  const first = await openPage();
  first.rememberTyped({ ...PERTH, addressee: 'Mei' } as typeof PERTH);
  logInAs('mei@example.com');
  const second = await openPage();
  expect(second.place.value).toEqual(PERTH);
  second.session.endSession();
  expect(second.place.value).toEqual(PERTH);
  expect((await openPage()).place.value).toEqual(PERTH);
});

it('forgets the place of a customer’s address at their logout', async () => {
  const guest = await openPage();
  guest.rememberTyped(PERTH);
  logInAs('mei@example.com');
  const { place, rememberAddress, session } = await openPage();
  rememberAddress({ ...SYDNEY, addressDetails: '1 High Street' } as typeof SYDNEY);
  expect(place.value).toEqual(SYDNEY);
  session.endSession();
  expect(place.value).toEqual(PERTH);
  expect(JSON.stringify({ ...localStorage })).not.toContain('Sydney');
});

it('hides the place of another customer’s address', async () => {
  logInAs('mei@example.com');
  (await openPage()).rememberAddress(SYDNEY);
  logInAs('jia@example.com');
  expect((await openPage()).place.value).toBeNull();
});

it('has the place that was given last', async () => {
  logInAs('mei@example.com');
  const { place, rememberAddress, rememberTyped } = await openPage();
  rememberAddress(SYDNEY);
  rememberTyped(PERTH);
  expect(place.value).toEqual(PERTH);
  rememberAddress(SYDNEY);
  expect(place.value).toEqual(SYDNEY);
});
