import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';

beforeEach(freshBrowser);

it('links to the login page with the full path that was wanted, its query and fragment', async () => {
  logInAs('mei@example.com');
  history.replaceState(null, '', '/home/account/orders?status=unpaid&page=2#list');
  const leave = vi.spyOn(location, 'assign').mockImplementation(() => {});
  const { loginInvalid } = await import('.');
  await loginInvalid('token-of-mei@example.com');
  document.querySelector<HTMLButtonElement>('dialog button')?.click();
  const target = '%2Fhome%2Faccount%2Forders%3Fstatus%3Dunpaid%26page%3D2%23list';
  expect(leave).toHaveBeenCalledWith(`/home/login?redirect=${target}`);
});
