import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Logistics as LogisticsList, OrderPage, Shipment } from '../api/types';
import { ordersUrl, orderUrl } from '../checkout/urls';
import { errorText, t } from '../i18n';
import { Timeline } from '../orders/Timeline';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';

/** As many orders as the page asks about: each costs a call. */
const MAX_ORDERS = 10;

interface Parcels {
  orderNo: string;
  parcels: Shipment[];
}

async function parcelsOf(orderNo: string): Promise<Parcels> {
  const { list } = await call<LogisticsList>('GET', `/pc/order/logistics/${encodeURIComponent(orderNo)}`);
  return { orderNo, parcels: list };
}

/** Loads the parcels of the order that the URL names, else of all orders that are under way. */
async function load(): Promise<Parcels[]> {
  const named = new URLSearchParams(location.search).get('order');
  if (named) return [await parcelsOf(named)];
  const { list } = await call<OrderPage>('POST', '/pc/orderInfo', { status: 'unreceived', size: MAX_ORDERS });
  return Promise.all(list.map(({ orderNo }) => parcelsOf(orderNo)));
}

/** Shows where the customer's parcels are. */
export function Logistics() {
  const [orders, setOrders] = useState<Parcels[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const start = useCallback(() => {
    setFailure(null);
    load().then(setOrders, setFailure);
  }, []);
  useEffect(start, [start]);

  const sent = orders?.filter(({ parcels }) => parcels.length > 0);
  return (
    <div className="stack">
      <h1>{t('orders.parcels')}</h1>
      {failure !== null && (
        <Notice
          kind="danger"
          action={
            <Button kind="quiet" onClick={start}>
              {t('ui.tryAgain')}
            </Button>
          }
        >
          {errorText(failure)}
        </Notice>
      )}
      {!sent && failure === null && <Skeleton lines={3} height="10rem" />}
      {sent?.map(({ orderNo, parcels }) => (
        <section className="panel stack" key={orderNo}>
          <h2>
            <a className="link num" href={orderUrl(orderNo)}>
              {t('orders.order', { orderNo })}
            </a>
          </h2>
          {parcels.map((parcel, index) => (
            <Timeline key={parcel.parcelNo} parcel={parcel} number={index + 1} count={parcels.length} />
          ))}
        </section>
      ))}
      {sent?.length === 0 && (
        <div className="empty">
          <span className="plate">
            <Icon name="truck" />
          </span>
          <h2>{t('orders.noParcels')}</h2>
          <a className="btn" href={ordersUrl()}>
            {t('orders.backToOrders')}
          </a>
        </div>
      )}
    </div>
  );
}
