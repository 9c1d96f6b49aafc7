import type { FormError } from '../form/ErrorSummary';
import { t } from '../i18n';
import { addresses } from '../stores/addresses';
import * as checkout from '../stores/checkout';
import { AddressPicker, FIRST_ADDRESS_ID } from './AddressPicker';
import { DeliveryStep } from './DeliveryStep';
import { payTypeUrl } from './urls';

function missingAddress(): FormError[] {
  if (addresses.value.length === 0) return [{ text: t('checkout.error.newAddress') }];
  if (!checkout.draft.value.address) return [{ id: FIRST_ADDRESS_ID, text: t('freight.addressEmpty') }];
  return checkout.complete.value ? [] : [{ id: FIRST_ADDRESS_ID, text: t('checkout.error.address') }];
}

function toPayment() {
  checkout.goToPayment();
  location.assign(payTypeUrl());
}

/** Shows a customer's delivery step, with their addresses. */
export function Delivery() {
  return (
    <DeliveryStep
      Where={AddressPicker}
      missingPlace={missingAddress}
      buttonLabel={t('checkout.toPayment')}
      onReady={toPayment}
    />
  );
}
