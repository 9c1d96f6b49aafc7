import { useSignals } from '@preact/signals-react/runtime';
import { errorText, t } from '../i18n';
import * as checkout from '../stores/checkout';
import { notDelivered } from '../stores/preview';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { cartUrl } from './urls';

/** Shows that the freight could not be loaded, why, and lets the customer try again. */
export function FreightFailure() {
  useSignals();
  if (checkout.freightState.value !== 'failed') return null;
  const error = checkout.freightError.value;
  if (checkout.freightNeedsOtherProducts.value) {
    return (
      <Notice kind="danger">
        <p>{errorText(error)}</p>
        <a className="link" href={cartUrl()}>
          {t('checkout.nextStep.cart')}
        </a>
      </Notice>
    );
  }
  return (
    <Notice
      kind="danger"
      action={
        <Button kind="quiet" size="sm" onClick={checkout.retryFreight}>
          {t('ui.tryAgain')}
        </Button>
      }
    >
      <b>{t('checkout.freightFailed')}</b>
      <p>{errorText(error)}</p>
      <p>{notDelivered(error)}</p>
    </Notice>
  );
}
