import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { ErrorSummary, type FormError } from '../form/ErrorSummary';
import { t } from '../i18n';
import { addresses } from '../stores/addresses';
import * as checkout from '../stores/checkout';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { AddressPicker, FIRST_ADDRESS_ID } from './AddressPicker';
import { FIRST_SHOP_ID, PickupPicker, TIME_ID } from './PickupPicker';
import { cartUrl, payTypeUrl } from './urls';

const METHODS = [
  { type: 'delivery', icon: 'truck' },
  { type: 'pickup', icon: 'store' },
] as const;

/** Lists what the delivery step still needs. */
function missing(): FormError[] {
  const { deliveryType, pickup } = checkout.draft.value;
  if (deliveryType === 'pickup') {
    if (pickup.pickupShopId === null) return [{ id: FIRST_SHOP_ID, text: t('checkout.error.shop') }];
    return pickup.pickupTime ? [] : [{ id: TIME_ID, text: t('checkout.error.time') }];
  }
  if (addresses.value.length === 0) return [{ text: t('checkout.error.newAddress') }];
  if (!checkout.complete.value) return [{ id: FIRST_ADDRESS_ID, text: t('checkout.error.address') }];
  return checkout.freightState.value === 'ready' ? [] : [{ text: t('checkout.freightFailed') }];
}

const NONE: FormError[] = [];

/** Shows the delivery step: delivery or pick-up, where to, and the freight. */
export function Delivery() {
  useSignals();
  const [found, setFound] = useState(NONE);
  const { deliveryType } = checkout.draft.value;
  // Errors go as soon as nothing is missing.
  const errors = missing().length ? found : NONE;

  function goOn() {
    const lacking = missing();
    setFound(lacking);
    if (!lacking.length) location.assign(payTypeUrl());
  }

  return (
    <div className="stack co-step">
      <h1>{t('checkout.deliveryTitle')}</h1>
      <ErrorSummary errors={errors} />
      <fieldset className="seg">
        <legend className="vh">{t('checkout.method')}</legend>
        {METHODS.map(({ type, icon }) => (
          <label className="option" key={type}>
            <span className="check">
              <input
                type="radio"
                name="shippingType"
                checked={deliveryType === type}
                onChange={() => checkout.chooseDelivery(type)}
              />
            </span>
            <span className="row">
              <Icon name={icon} />
              <span>
                <b>{t(`checkout.${type}`)}</b>
                <small>{t(`checkout.${type}Hint`)}</small>
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {deliveryType === 'pickup' && <PickupPicker errors={errors} />}
      {/* It stays mounted, as an address may be half typed. */}
      <div className="stack" hidden={deliveryType === 'pickup'}>
        <AddressPicker />
      </div>
      <div className="actions">
        <a className="btn btn--quiet" href={cartUrl()}>
          <Icon name="arrow-left" />
          {t('checkout.backToCart')}
        </a>
        <Button size="lg" busy={checkout.freightState.value === 'loading'} onClick={goOn}>
          {t('checkout.toPayment')}
        </Button>
      </div>
    </div>
  );
}
