import { loadTexts, loadTextsOf, t } from '../i18n';
import { addressesState, loadAddresses } from './addresses';
import { customer, loadCustomer } from './customer';
import { knownPlace } from './known-place';
import { account, isStillIn } from './session';
import { write } from './storage';
import { VISIT } from './visit';

/** Islands that load the addresses themselves. */
const LOAD_ADDRESSES = 'shop-island[name=addresses], shop-island[name=checkout]';

/** Marks a product that the customer wanted to mark as a guest, and shows the outcome. */
async function markWanted(goodsId: number): Promise<void> {
  const [{ mark }, { show, showError }, { ensureToastRegion }] = await Promise.all([
    import('./favourites'),
    import('../ui/toast'),
    import('../ui/toast-region'),
    loadTextsOf('favourites'),
  ]);
  await ensureToastRegion();
  await mark(goodsId).then(() => show('ok', t('favourites.added')), showError);
}

async function preferDefault(): Promise<void> {
  if (knownPlace()) await (await import('./default-place')).preferDefaultAddress();
}

/**
 * Loads the customer, the carts, the addresses and the favourites, in this order and without what the page has already
 * (docs/product.md#session). A visit has begun once all are there; until then every page tries again. Raises ShopError.
 */
export async function startUp(): Promise<void> {
  await loadTexts();
  const visitor = account.value;
  if (!visitor) return;
  if (!customer.value) await loadCustomer();
  // The carts may load themselves as soon as they are imported.
  const { loadOnce } = await import('./carts');
  if (!isStillIn(visitor) || !(await loadOnce())) return;
  if (!isStillIn(visitor)) return;
  if (addressesState.value === 'idle' && !document.querySelector(LOAD_ADDRESSES)) {
    await loadAddresses();
    await preferDefault();
  }
  const { loadFavourites, takeWanted } = await import('./favourites');
  if (!isStillIn(visitor)) return;
  const wanted = takeWanted();
  if (wanted) await markWanted(wanted);
  await loadFavourites();
  if (account.value === visitor && addressesState.value !== 'failed') write(sessionStorage, VISIT, visitor);
}
