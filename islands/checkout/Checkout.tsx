import { useEffect, useState } from 'react';
import type { Component } from '#jsx/jsx-runtime';
import { t } from '../i18n';
import * as carts from '../stores/carts';
import * as checkout from '../stores/checkout';
import * as promotions from '../stores/promotion-cart';
import { bulk, ordinary as cart } from '../stores/server-carts';
import { isLoggedIn } from '../stores/session';
import { Skeleton } from '../ui/Skeleton';
import { OrderSummary, SummaryToggle } from './OrderSummary';
import { cartUrl, deliveryUrl, payTypeUrl } from './urls';

export interface CheckoutProps {
  step: 'delivery' | 'payType';
  /** CNY for one AUD. */
  rate: number;
  /** How many points pay a dollar of products; 0 where they pay nothing. */
  pointsPerDollar: number;
  /** How many days the shop keeps a recipient's ID card. */
  idCardDays: number;
}

interface Props extends CheckoutProps {
  /** The component of the step. */
  Step: Component<Pick<CheckoutProps, 'idCardDays'>>;
}

const TITLES = { delivery: 'checkout.deliveryTitle', payType: 'checkout.payTitle' } as const;

/** Prepares the draft for a step; gives the URL to go to instead where the step is not possible yet. */
async function prepare(step: CheckoutProps['step']): Promise<string | null> {
  if (step === 'payType') {
    const { active, orderNo } = checkout.draft.value;
    const isReady = isLoggedIn.value && (orderNo !== '' || (active === 1 && checkout.readyToPay.value));
    return isReady ? null : deliveryUrl();
  }
  await carts.load();
  const [group, second] = promotions.chosen.value;
  const chosen = [...cart.checked.value, ...bulk.checked.value];
  if (chosen.length === 0 && !group) return checkout.draft.value.orderNo ? payTypeUrl() : cartUrl();
  if (second) return cartUrl();
  checkout.startDraft(chosen, group && { ...group, shoppingCart: promotions.checkedOf(group) });
  return null;
}

/** Loads the page again once a guest has logged in in another tab, for their addresses; gives what ends that. */
function followLogin(): () => void {
  const wasGuest = !isLoggedIn.value;
  const follow = () => wasGuest && isLoggedIn.value && location.reload();
  document.addEventListener('shop:session', follow);
  return () => document.removeEventListener('shop:session', follow);
}

/** Shows one step of the checkout: delivery or payment (docs/product.md#pages). */
export function Checkout({ step, rate, pointsPerDollar, idCardDays, Step }: Props) {
  const [ready, setReady] = useState(false);

  useEffect(() => {
    prepare(step).then((elsewhere) => {
      if (elsewhere) location.replace(elsewhere);
      else setReady(true);
    });
  }, [step]);

  useEffect(() => {
    // Restored from the back/forward cache after the gateway, the page may show an order that is paid.
    const refresh = (event: PageTransitionEvent) => event.persisted && location.reload();
    window.addEventListener('pageshow', refresh);
    return () => window.removeEventListener('pageshow', refresh);
  }, []);

  useEffect(followLogin, []);

  return (
    <>
      {ready ? <SummaryToggle /> : <div className="sum-toggle" />}
      <div className="wrap co">
        <div className="twocol">
          {ready ? (
            <Step idCardDays={idCardDays} />
          ) : (
            <div className="stack">
              <h1>{t(TITLES[step])}</h1>
              <Skeleton lines={4} />
            </div>
          )}
          {ready && <OrderSummary rate={rate} pointsPerDollar={pointsPerDollar} />}
        </div>
      </div>
    </>
  );
}
