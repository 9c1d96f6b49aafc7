import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderPage } from '../api/types';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { listingQuery, MAX_WORD, readListing } from './listing';
import { OrderCard } from './OrderCard';
import { Pager } from './Pager';
import { STATUSES } from './status';

const SIZE = 10;

export interface OrdersProps {
  /** CNY for one AUD. */
  rate: number;
}

/** Shows the customer's orders, newest first, filtered by status. */
export function Orders({ rate }: OrdersProps) {
  const listing = readListing(location.search);
  const { status, word, page } = listing;
  const [orders, setOrders] = useState<OrderPage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    const body = { page, size: SIZE, ...(status && { status }), ...(word && { word }) };
    call<OrderPage>('POST', '/pc/orderInfo', body).then(setOrders, setFailure);
  }, [page, status, word]);
  useEffect(load, [load]);

  const last = Math.max(1, Math.ceil((orders?.total ?? 0) / SIZE));
  return (
    <div className="stack">
      <h1>{t('orders.title')}</h1>
      <form className="row row--end" method="get">
        {status && <input type="hidden" name="status" value={status} />}
        <InputField
          label={t('orders.search')}
          type="search"
          name="word"
          defaultValue={word}
          maxLength={MAX_WORD}
        />
        <Button type="submit" kind="line">
          {t('orders.find')}
        </Button>
      </form>
      <nav className="chips" aria-label={t('orders.byStatus')}>
        {(['', ...STATUSES] as const).map((value) => (
          <a
            key={value}
            className={value === status ? 'chip active' : 'chip'}
            aria-current={value === status ? 'page' : undefined}
            href={listingQuery({ status: value, word, page: 1 })}
          >
            {t(`orders.status.${value || 'all'}`)}
          </a>
        ))}
      </nav>
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {!orders && failure === null && <Skeleton lines={3} height="12rem" />}
      {orders?.list.map((order) => (
        <OrderCard key={order.orderNo} order={order} rate={rate} />
      ))}
      {orders?.list.length === 0 && (
        <div className="empty">
          <span className="plate">
            <Icon name="receipt-text" />
          </span>
          <h2>{t(word ? 'orders.noneFound' : status ? 'orders.noneOfStatus' : 'orders.none', { word })}</h2>
          <a className="btn" href={pageUrl('/shop')}>
            {t('cart.browse')}
          </a>
        </div>
      )}
      {orders && (
        <Pager page={page} last={last} urlOf={(number) => listingQuery({ status, word, page: number })} />
      )}
    </div>
  );
}
