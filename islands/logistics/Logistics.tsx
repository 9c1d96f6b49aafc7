import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Logistics as LogisticsList, OrderPage, Shipment } from '../api/types';
import { ordersUrl, orderUrl } from '../checkout/urls';
import { t } from '../i18n';
import { listingQuery, readListing } from '../orders/listing';
import { Pager } from '../orders/Pager';
import { Timeline } from '../orders/Timeline';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';

/** As many orders as a page asks about: each costs a call. */
const SIZE = 10;

/** What became of the question about an order. */
type Answer = { parcels: Shipment[] } | { failure: unknown };

interface Listed {
  orderNos: string[];
  total: number;
}

/** Lists the order that the URL names, else a page of those that are under way. */
async function list(named: string | null, page: number): Promise<Listed> {
  if (named) return { orderNos: [named], total: 1 };
  const body = { status: 'unreceived', page, size: SIZE };
  const answer = await call<OrderPage>('POST', '/pc/orderInfo', body);
  return { orderNos: answer.list.map(({ orderNo }) => orderNo), total: answer.total };
}

async function ask(orderNo: string): Promise<Answer> {
  try {
    const path = `/pc/order/logistics/${encodeURIComponent(orderNo)}`;
    return { parcels: (await call<LogisticsList>('GET', path)).list };
  } catch (failure) {
    return { failure };
  }
}

/** Shows the parcels of one order, or why they could not be had; nothing for an order without any. */
function OfOrder({
  orderNo,
  answer,
  onRetry,
}: {
  orderNo: string;
  answer: Answer | undefined;
  onRetry: () => void;
}) {
  if (!answer) return <Skeleton lines={3} height="10rem" />;
  if ('parcels' in answer && answer.parcels.length === 0) return null;
  return (
    <section className="panel stack">
      <h2>
        <a className="link num" href={orderUrl(orderNo)}>
          {t('orders.order', { orderNo })}
        </a>
      </h2>
      {'failure' in answer ? (
        <LoadFailure error={answer.failure} onRetry={onRetry} />
      ) : (
        answer.parcels.map((parcel, index) => (
          <Timeline key={parcel.parcelNo} parcel={parcel} number={index + 1} count={answer.parcels.length} />
        ))
      )}
    </section>
  );
}

/** Shows where the customer's parcels are: those of each order as soon as they are known. */
export function Logistics() {
  const named = new URLSearchParams(location.search).get('order');
  const { page } = readListing(location.search);
  const [listed, setListed] = useState<Listed | null>(null);
  const [answers, setAnswers] = useState<Readonly<Record<string, Answer>>>({});
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(async (orderNo: string) => {
    setAnswers(({ [orderNo]: _former, ...others }) => others);
    const answer = await ask(orderNo);
    setAnswers((others) => ({ ...others, [orderNo]: answer }));
  }, []);
  const start = useCallback(() => {
    setFailure(null);
    list(named, page).then((found) => {
      setListed(found);
      found.orderNos.forEach(load);
    }, setFailure);
  }, [named, page, load]);
  useEffect(start, [start]);

  const isEmpty = listed?.orderNos.every((orderNo) => {
    const answer = answers[orderNo];
    return answer && 'parcels' in answer && answer.parcels.length === 0;
  });
  return (
    <div className="stack">
      <h1>{t('orders.myParcels')}</h1>
      {failure !== null && <LoadFailure error={failure} onRetry={start} />}
      {!listed && failure === null && <Skeleton lines={3} height="10rem" />}
      {listed?.orderNos.map((orderNo) => (
        <OfOrder
          key={orderNo}
          orderNo={orderNo}
          answer={answers[orderNo]}
          onRetry={() => void load(orderNo)}
        />
      ))}
      {isEmpty && (
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
      {listed && (
        <Pager
          page={page}
          last={Math.ceil(listed.total / SIZE)}
          urlOf={(number) => listingQuery({ status: '', word: '', page: number })}
        />
      )}
    </div>
  );
}
