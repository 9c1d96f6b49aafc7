/* The message on the page that a logout opens. */
import { loadTextsOf, t } from './i18n';
import { readShared, removeShared, writeShared } from './stores/storage';
import { show } from './ui/toast';
import { ensureToastRegion } from './ui/toast-region';

const KEY = 'farewell';

/** Notes that the next page of this tab shows that the customer is logged out. */
export function promiseFarewell(): void {
  writeShared(sessionStorage, KEY, true);
}

/** Shows that the customer is logged out, where the last page has noted that, and once. */
export async function sayFarewell(): Promise<void> {
  if (!readShared<boolean>(sessionStorage, KEY)) return;
  removeShared(sessionStorage, KEY);
  await Promise.all([loadTextsOf('session'), ensureToastRegion()]);
  show('ok', t('session.loggedOut'));
}
