import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderDetail } from '../api/types';
import { t } from '../i18n';
import { Destination, Lines, Totals } from '../order-details/Facts';
import { account } from '../stores/session';
import { Skeleton } from '../ui/Skeleton';

interface Props {
  orderNo: string;
  /** Whether its money has arrived; else staff collect it. */
  isPaid: boolean;
}

/** Shows what was ordered, where and when it comes, and what happens next. */
export function Summary({ orderNo, isPaid }: Props) {
  useSignals();
  const [order, setOrder] = useState<OrderDetail | null>(null);
  const [isMissing, setMissing] = useState(false);

  useEffect(() => {
    // The page shows what matters without it, and links to the order.
    call<OrderDetail>('GET', `/pc/order/detailed/${encodeURIComponent(orderNo)}`).then(setOrder, (error) => {
      console.warn(error);
      setMissing(true);
    });
  }, [orderNo]);

  if (isMissing) return null;
  if (!order) return <Skeleton lines={4} height="8rem" />;
  const steps = order.shop
    ? [t('result.next.ready'), t('result.next.code')]
    : [t('result.next.pack'), t('result.next.sent'), t('result.next.track')];
  return (
    <div className="stack result">
      <section className="panel panel--well stack" aria-labelledby="result-next">
        <h2 id="result-next">{t('result.next.title')}</h2>
        <ol className="stack">
          {!isPaid && <li>{t('result.next.money')}</li>}
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        {isPaid && account.value.includes('@') && <p>{t('result.next.email', { account: account.value })}</p>}
        {order.integralPending > 0 && (
          <p>{t('result.next.points', { points: order.integralPending.toLocaleString('en-AU') })}</p>
        )}
      </section>
      <Destination order={order} />
      <section className="panel stack">
        <h2>{t('orders.products')}</h2>
        <Lines order={order} />
        <Totals order={order} />
      </section>
    </div>
  );
}
