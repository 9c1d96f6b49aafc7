import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { PLACE_ID } from '../addresses/place-id';
import type { FormError } from '../form/ErrorSummary';
import { loadTextsOf, t } from '../i18n';
import { loginUrl } from '../lang';
import { leaveTo } from '../leaving';
import * as checkout from '../stores/checkout';
import { sentProducts } from '../stores/order-draft';
import { place } from '../stores/place';
import { later } from '../ui/later';
import { DeliveryStep } from './DeliveryStep';
import { deliveryUrl } from './urls';

const PlaceForm = later(async () => {
  await loadTextsOf('place');
  return (await import('../addresses/PlaceForm')).PlaceForm;
}, '16rem');
const NextArrival = later(async () => {
  await loadTextsOf('place');
  return (await import('../arrival/NextArrival')).NextArrival;
}, '1.5rem');
const FreightFailure = later(async () => (await import('./FreightFailure')).FreightFailure, '6rem');

function GuestPlace({ errors }: { errors: readonly FormError[] }) {
  useSignals();
  const [known] = useState(() => checkout.draft.value.address ?? place.value);

  useEffect(() => checkout.choosePlace(known), [known]);

  return (
    <section className="panel" aria-labelledby="place-title">
      <div>
        <h2 id="place-title">{t('checkout.deliverTo')}</h2>
        <p className="small muted">{t('checkout.placeHint')}</p>
      </div>
      <PlaceForm
        initial={known}
        errors={errors}
        onPlace={checkout.choosePlace}
        onEdit={() => checkout.choosePlace(null)}
      />
      {checkout.freightState.value === 'ready' && (
        <NextArrival to={checkout.draft.value.address} goods={sentProducts(checkout.draft.value)} />
      )}
      {checkout.freightState.value === 'failed' && <FreightFailure />}
    </section>
  );
}

const missingPlace = (): FormError[] =>
  checkout.draft.value.address ? [] : [{ id: PLACE_ID, text: t('freight.addressEmpty') }];

/** Shows a guest's delivery step: a place is enough for the freight; to go on, the guest logs in
(docs/product.md#checkout). */
export function GuestDelivery() {
  return (
    <DeliveryStep
      Where={GuestPlace}
      missingPlace={missingPlace}
      buttonLabel={t('checkout.logIn')}
      onReady={() => leaveTo(loginUrl(deliveryUrl()))}
    />
  );
}
