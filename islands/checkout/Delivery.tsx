import { useSignals } from '@preact/signals-react/runtime';
import { useEffect } from 'react';
import type { FormError } from '../form/ErrorSummary';
import { loadTextsOf, t } from '../i18n';
import { addresses } from '../stores/addresses';
import * as checkout from '../stores/checkout';
import { isPoBox } from '../stores/po-box';
import { lacksWindow, loadWindows, windowsState } from '../stores/windows';
import { later } from '../ui/later';
import { AddressPicker, FIRST_ADDRESS_ID } from './AddressPicker';
import { DeliveryStep } from './DeliveryStep';
import { payTypeUrl } from './urls';
import { WINDOW_ID } from './window-id';

const WindowPicker = later(async () => {
  await loadTextsOf('wishes');
  return (await import('./WindowPicker')).WindowPicker;
}, '0');

function missingPlace(): FormError[] {
  const missing = missingAddress();
  if (missing.length > 0 || !lacksWindow()) return missing;
  return [{ id: WINDOW_ID, text: t('checkout.error.window') }];
}

function missingAddress(): FormError[] {
  if (addresses.value.length === 0) return [{ text: t('checkout.error.newAddress') }];
  const { address, parcels } = checkout.draft.value;
  if (!address) return [{ id: FIRST_ADDRESS_ID, text: t('freight.addressEmpty') }];
  if (isPoBox(address.addressDetails) && parcels.some(({ storage }) => storage !== 'ambient')) {
    return [{ id: FIRST_ADDRESS_ID, text: t('checkout.error.poBox') }];
  }
  return checkout.complete.value ? [] : [{ id: FIRST_ADDRESS_ID, text: t('checkout.error.address') }];
}

/** Shows where a delivery goes and when the van comes. */
function Where({ errors }: { errors: readonly FormError[] }) {
  useSignals();
  const { address, deliveryType } = checkout.draft.value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other addresses have other windows
  useEffect(() => void loadWindows(), [address, deliveryType]);
  return (
    <>
      <AddressPicker />
      {deliveryType === 'delivery' && address && <WindowPicker errors={errors} />}
    </>
  );
}

function toPayment() {
  checkout.goToPayment();
  location.assign(payTypeUrl());
}

/** Shows a customer's delivery step, with their addresses. */
export function Delivery() {
  useSignals();
  return (
    <DeliveryStep
      Where={Where}
      missingPlace={missingPlace}
      buttonLabel={t('checkout.toPayment')}
      isLoading={windowsState.value === 'loading'}
      onReady={toPayment}
    />
  );
}
