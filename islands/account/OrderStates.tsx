import { useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderCounts } from '../api/types';
import { ordersUrl } from '../checkout/urls';
import { t } from '../i18n';
import { Icon } from '../ui/Icon';
import type { IconName } from '../ui/icons';

const STATES: readonly { state: keyof OrderCounts; icon: IconName }[] = [
  { state: 'unpaid', icon: 'wallet' },
  { state: 'paid', icon: 'receipt-text' },
  { state: 'unreceived', icon: 'truck' },
  { state: 'claimable', icon: 'shield-check' },
];

/** Links to the customer's orders by what comes next, with how many there are. */
export function OrderStates() {
  const [counts, setCounts] = useState<OrderCounts | null>(null);

  useEffect(() => {
    // Without the numbers the links are as useful.
    call<OrderCounts>('GET', '/pc/order/counts').then(setCounts, console.warn);
  }, []);

  return (
    <nav className="panel stack" aria-labelledby="order-states">
      <div className="row">
        <h2 id="order-states">{t('account.orders.title')}</h2>
        <a className="link small push" href={ordersUrl()}>
          {t('account.orders.all')}
        </a>
      </div>
      <ul className="f states">
        {STATES.map(({ state, icon }) => (
          <li key={state}>
            <a href={`${ordersUrl()}?status=${state}`}>
              <span className="count">
                <Icon name={icon} />
                {counts && counts[state] > 0 && (
                  <span className="n" translate="no">
                    {counts[state] > 99 ? '99+' : counts[state]}
                  </span>
                )}
              </span>
              <span>{t(`account.orders.${state}`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
