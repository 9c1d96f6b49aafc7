import { beforeEach, expect, it } from 'vitest';
import { freshBrowser } from './testing/browser';
import { toastTexts } from './testing/cart';

beforeEach(freshBrowser);

it('shows on the page to which a logout leads that the customer is logged out, once', async () => {
  const { promiseFarewell, sayFarewell } = await import('./farewell');
  await sayFarewell();
  expect(await toastTexts()).toEqual([]);
  promiseFarewell();
  await sayFarewell();
  await sayFarewell();
  expect(await toastTexts()).toEqual(['You are logged out']);
});
