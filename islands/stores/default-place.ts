/* The place of a customer's default address, which replaces what they estimated as a guest (docs/product.md#checkout). */
import { loadTextsOf, t } from '../i18n';
import { liesIn } from './address';
import { addresses } from './addresses';
import { isGuestsPlace, knownPlace } from './known-place';
import { rememberAddress } from './place';
import { account } from './session';

/** Shows freight and times for the default address from now on, with a toast, if the place is still a guest's. */
export async function preferDefaultAddress(): Promise<void> {
  const place = knownPlace();
  const address = addresses.value.find(({ isDefault }) => isDefault);
  if (!place || !address || !isGuestsPlace(account.value)) return;
  rememberAddress(address);
  if (liesIn(address, place)) return;
  const [{ show }, { ensureToastRegion }] = await Promise.all([
    import('../ui/toast'),
    import('../ui/toast-region'),
    loadTextsOf('place'),
  ]);
  await ensureToastRegion();
  show('ok', t('place.defaultUsed'));
}
