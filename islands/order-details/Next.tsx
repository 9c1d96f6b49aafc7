import type { OrderDetail } from '../api/types';
import { type TextKey, t } from '../i18n';

/** What comes next, by the code of the order's status (docs/product.md#order-statuses). */
const NEXT: Readonly<Record<number, TextKey>> = {
  2: 'orders.next.paid',
  0: 'orders.next.inReview',
  3: 'orders.next.picking',
  4: 'orders.next.packed',
  5: 'orders.next.asking',
  51: 'orders.next.awaitingStock',
  8: 'orders.next.onHold',
  6: 'orders.next.shipped',
  106: 'orders.next.partlyShipped',
  102: 'orders.next.outForDelivery',
  100: 'orders.next.ready',
  90: 'orders.next.returned',
  98: 'orders.next.chargeback',
};

/** The codes of orders that may be picked up with their code. */
const TO_PICK_UP: ReadonlySet<number> = new Set([2, 0, 3, 4, 5, 51, 8, 100]);

/** Shows what comes next, and shows the code of a pick-up. */
export function Next({ order }: { order: OrderDetail }) {
  const key = NEXT[order.orderStatus];
  const showsCode = order.pickupQr !== '' && TO_PICK_UP.has(order.orderStatus);
  if (!key && !showsCode) return null;
  return (
    <section className="panel panel--well stack" aria-labelledby="next-title">
      <h2 id="next-title">{t('orders.next.title')}</h2>
      {key && <p>{t(key)}</p>}
      {showsCode && (
        <div className="row row--wrap">
          <img src={order.pickupQr} alt="" width={160} height={160} />
          <p>
            {t('orders.pickupCode')}
            <br />
            <b className="pickup-code num">{order.pickupCode}</b>
            <br />
            <small className="muted">{t('orders.pickupCodeHint')}</small>
          </p>
        </div>
      )}
    </section>
  );
}
