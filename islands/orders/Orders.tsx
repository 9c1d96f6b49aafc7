import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderPage } from '../api/types';
import { ordersUrl } from '../checkout/urls';
import { type TextKey, t } from '../i18n';
import { pageUrl } from '../lang';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { Filters } from './Filters';
import { type Listing, listingQuery, readListing } from './listing';
import { OrderCard } from './OrderCard';
import { Pager } from './Pager';

const SIZE = 10;

export interface OrdersProps {
  /** CNY for one AUD. */
  rate: number;
}

function noneText({ word, status, from, to }: Listing): TextKey {
  if (word) return 'orders.noneFound';
  if (from || to) return 'orders.noneInPeriod';
  return status ? 'orders.noneOfStatus' : 'orders.none';
}

/** Shows that there is no order, or none that fits, with a link. */
function None({ listing }: { listing: Listing }) {
  const text = noneText(listing);
  return (
    <div className="empty">
      <span className="plate">
        <Icon name="receipt-text" />
      </span>
      <h2>{t(text as 'orders.noneFound', { word: listing.word })}</h2>
      <div className="row row--wrap">
        {text !== 'orders.none' && (
          <a className="btn" href={ordersUrl()}>
            {t('orders.clear')}
          </a>
        )}
        <a className={text === 'orders.none' ? 'btn' : 'btn btn--line'} href={pageUrl('/shop')}>
          {t('cart.browse')}
        </a>
      </div>
    </div>
  );
}

/** Shows the customer's orders, newest first, narrowed by the address. */
export function Orders({ rate }: OrdersProps) {
  const listing = readListing(location.search);
  const { status, word, from, to, page } = listing;
  const [orders, setOrders] = useState<OrderPage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    const body = {
      page,
      size: SIZE,
      ...(status && { status }),
      ...(word && { word }),
      ...(from && { from }),
      ...(to && { to }),
    };
    call<OrderPage>('POST', '/pc/orderInfo', body).then(setOrders, setFailure);
  }, [page, status, word, from, to]);
  useEffect(load, [load]);

  const last = Math.max(1, Math.ceil((orders?.total ?? 0) / SIZE));
  return (
    <div className="stack">
      <h1>{t('orders.title')}</h1>
      <Filters listing={listing} />
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {!orders && failure === null && <Skeleton lines={3} height="12rem" />}
      {orders?.list.map((order) => (
        <OrderCard key={order.orderNo} order={order} rate={rate} />
      ))}
      {orders?.list.length === 0 && <None listing={listing} />}
      {orders && (
        <Pager page={page} last={last} urlOf={(number) => listingQuery({ ...listing, page: number })} />
      )}
    </div>
  );
}
