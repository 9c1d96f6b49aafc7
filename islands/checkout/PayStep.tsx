import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { AddressText } from '../addresses/AddressText';
import { useCountries } from '../addresses/useCountries';
import { ShopError } from '../api/client';
import { errorText, loadTextsOf, t } from '../i18n';
import { leaveTo } from '../leaving';
import { formatAud } from '../money';
import { PayChoice } from '../pay/PayChoice';
import { TRANSFER } from '../pay/payTypes';
import * as checkout from '../stores/checkout';
import { isIdCard, needsIdCard } from '../stores/id-card';
import { type OrderDraft, shippingType } from '../stores/order-draft';
import { Icon } from '../ui/Icon';
import { later } from '../ui/later';
import type { CheckoutProps } from './Checkout';
import { slotDay, slotPeriod, slotTime } from './slots';
import { deliveryUrl, instructionsUrl, orderUrl, payResultUrl } from './urls';

const IdCardField = later(async () => {
  await loadTextsOf('wishes');
  return (await import('./IdCardField')).IdCardField;
}, '6.5rem');
const LeftToPay = later(async () => {
  await loadTextsOf('wallet');
  return (await import('./LeftToPay')).LeftToPay;
}, '5rem');
const NextStep = later(async () => (await import('./NextStep')).NextStep, '0');
const Placed = later(async () => {
  await loadTextsOf('wallet');
  return (await import('./NextStep')).Placed;
}, '0');
const ID_CARD_ID = 'id-card';

function Destination() {
  useSignals();
  const countries = useCountries();
  const { address, deliverySlot, deliveryUntil, deliveryType, pickup, orderNo } = checkout.draft.value;
  const isPickup = deliveryType === 'pickup';
  return (
    <div className="panel panel--well co-dest">
      <div className="row">
        <b className="semi">
          {isPickup
            ? t('checkout.pickupFrom', { name: pickup.pickupShoName })
            : t('checkout.deliverToName', { name: address?.addressee ?? '' })}
        </b>
        {orderNo ? (
          <a className="link small push" href={orderUrl(orderNo)}>
            {t('checkout.orderMade', { orderNo })}
          </a>
        ) : (
          <a className="link small push" href={deliveryUrl()}>
            {t('checkout.change')}
          </a>
        )}
      </div>
      <p className="small soft">
        {isPickup && `${slotDay(pickup.pickupTime)} ${slotTime(pickup.pickupTime)}`}
        {!isPickup && address && <AddressText address={address} countries={countries} />}
        {!isPickup && deliverySlot && (
          <>
            <br />
            {t('checkout.windowChosen', {
              day: slotDay(deliverySlot),
              time: slotPeriod(deliverySlot, deliveryUntil),
            })}
          </>
        )}
      </p>
    </div>
  );
}

/** Gives what the draft's order would have to be paid, as a query; its amount in cents. */
const purchaseOf = (draft: OrderDraft, cents: number): string =>
  `amount=${cents / 100}&shippingType=${shippingType(draft)}&country=${encodeURIComponent(draft.address?.country ?? '')}&slot=${encodeURIComponent(draft.deliveryType === 'pickup' ? draft.pickup.pickupTime : draft.deliverySlot)}`;

/** Shows the payment step: places the order and starts its payment. */
export function PayStep({ idCardDays }: Pick<CheckoutProps, 'idCardDays'>) {
  useSignals();
  /** In the memory of this page alone (docs/guarantees/customers.md#id-cards). */
  const [idCard, setIdCard] = useState('');
  const [asksIdCard, setAsksIdCard] = useState(false);
  const error = checkout.failure.value?.error ?? null;
  const isOfIdCard = error instanceof ShopError && 'idCard' in error.fields;
  const needed = needsIdCard(checkout.draft.value);
  const isMissing = needed && !isIdCard(idCard);
  const { orderNo, payType } = checkout.draft.value;
  const cents = checkout.totalSoFar.value;

  useEffect(() => {
    if (isOfIdCard) document.getElementById(ID_CARD_ID)?.focus();
  }, [isOfIdCard]);

  function idCardError(): string | undefined {
    if (asksIdCard && isMissing) return t('checkout.error.idCard');
    return isOfIdCard ? errorText(error) : undefined;
  }

  async function pay(chosen: string, password?: string, walletAmount?: number) {
    setAsksIdCard(isMissing);
    if (isMissing) return document.getElementById(ID_CARD_ID)?.focus();
    const card = needed ? idCard : undefined;
    const jumpUrl = await checkout.placeAndPay(chosen, password, card, walletAmount);
    if (jumpUrl === undefined) return;
    const nowhere = chosen === TRANSFER ? instructionsUrl : payResultUrl;
    leaveTo(jumpUrl ?? nowhere(checkout.draft.value.orderNo));
  }

  return (
    <div className="stack co-step">
      <h1>{t('checkout.payTitle')}</h1>
      <Destination />
      {needed && (
        <IdCardField
          id={ID_CARD_ID}
          days={idCardDays}
          value={idCard}
          error={idCardError()}
          onChange={setIdCard}
        />
      )}
      {checkout.draft.value.leftToPay !== null && <LeftToPay />}
      <PayChoice
        purchase={orderNo ? `orderNo=${orderNo}` : purchaseOf(checkout.draft.value, cents)}
        amount={checkout.leftToPay.value ?? checkout.productTotal.value}
        buttonLabel={(cents, isCollected) => {
          if (isCollected) return t(orderNo ? 'checkout.payThisWay' : 'checkout.place');
          return t(orderNo ? 'checkout.pay' : 'checkout.placeAndPay', { amount: formatAud(cents) });
        }}
        busy={checkout.paying.value}
        error={isOfIdCard ? null : error}
        nextStep={checkout.failure.value && <NextStep />}
        note={checkout.failure.value?.during === 'pay' && <Placed />}
        initial={payType.payType}
        onChoose={checkout.choosePayType}
        onPay={pay}
        back={
          orderNo ? undefined : (
            <a className="btn btn--quiet" href={deliveryUrl()}>
              <Icon name="arrow-left" />
              {t('checkout.backToDelivery')}
            </a>
          )
        }
      />
    </div>
  );
}
