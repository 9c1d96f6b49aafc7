import { useSignals } from '@preact/signals-react/runtime';
import { type ReactElement, useState } from 'react';
import { ErrorSummary, type FormError } from '../form/ErrorSummary';
import { errorText, loadTextsOf, t } from '../i18n';
import * as checkout from '../stores/checkout';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { later } from '../ui/later';
import { chosenShop, FIRST_SHOP_ID, hasAll, TIME_ID } from './pickup';
import { cartUrl } from './urls';

const PickupPicker = later(async () => {
  await loadTextsOf('wishes');
  return (await import('./PickupPicker')).PickupPicker;
}, '16rem');

const WishFields = later(async () => {
  await loadTextsOf('wishes');
  return (await import('./WishFields')).WishFields;
}, '14rem');

const METHODS = [
  { type: 'delivery', icon: 'truck' },
  { type: 'pickup', icon: 'store' },
] as const;

const METHOD_ID = 'method';

interface Props {
  /** Shows where a delivery goes. */
  Where: (props: { errors: readonly FormError[] }) => ReactElement;
  /** Lists what the place of a delivery still lacks. */
  missingPlace: () => FormError[];
  buttonLabel: string;
  /** Whether what the place of a delivery may lack is still to be known. */
  isLoading?: boolean;
  /** Leaves the step, in which nothing is missing. */
  onReady: () => void;
}

/** Lists what the delivery step still needs. */
function missing(missingPlace: Props['missingPlace']): FormError[] {
  const { deliveryType, pickup } = checkout.draft.value;
  if (deliveryType === 'pickup') {
    if (pickup.pickupShopId === null) return [{ id: FIRST_SHOP_ID, text: t('checkout.error.shop') }];
    const shop = chosenShop();
    if (shop && !hasAll(shop)) return [{ id: FIRST_SHOP_ID, text: t('checkout.error.shopLacks') }];
    return pickup.pickupTime ? [] : [{ id: TIME_ID, text: t('checkout.error.time') }];
  }
  if (deliveryType !== 'delivery') return [{ id: METHOD_ID, text: t('checkout.deliveryTypeError') }];
  // A failure takes the address away (docs/product.md#checkout); where only other products help, none is missing.
  if (checkout.freightState.value === 'failed' && checkout.freightNeedsOtherProducts.value)
    return [{ text: errorText(checkout.freightError.value) }];
  const lacking = missingPlace();
  if (lacking.length > 0) return lacking;
  return checkout.freightState.value === 'ready' ? [] : [{ text: t('checkout.freightFailed') }];
}

/** Shows the delivery step: delivery or pick-up, where to, and the way on. */
export function DeliveryStep({ Where, missingPlace, buttonLabel, isLoading, onReady }: Props) {
  useSignals();
  const [found, setFound] = useState<FormError[]>([]);
  const { deliveryType } = checkout.draft.value;
  // Each error goes as soon as what it asks for is there.
  const left = missing(missingPlace);
  const errors = found.filter(({ id, text }) => left.some((other) => other.id === id && other.text === text));

  // Where the step is left while the sums of what is known are asked for, they would be lost on the way.
  const isSumming = checkout.summing.value && checkout.freightState.value !== 'none';

  function goOn() {
    const lacking = missing(missingPlace);
    setFound(lacking);
    if (!lacking.length) onReady();
  }

  return (
    <div className="stack co-step">
      <h1>{t('checkout.deliveryTitle')}</h1>
      <ErrorSummary errors={errors} />
      <fieldset className="seg">
        <legend className="vh">{t('checkout.method')}</legend>
        {METHODS.map(({ type, icon }, index) => (
          <label className="option" key={type}>
            <span className="check">
              <input
                id={index === 0 ? METHOD_ID : undefined}
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
      <div className="stack" hidden={deliveryType !== 'delivery'}>
        <Where errors={errors} />
      </div>
      <WishFields />
      <div className="actions">
        <a className="btn btn--quiet" href={cartUrl()}>
          <Icon name="arrow-left" />
          {t('checkout.backToCart')}
        </a>
        <Button size="lg" busy={isLoading || isSumming} onClick={goOn}>
          {buttonLabel}
        </Button>
      </div>
    </div>
  );
}
