import type { OrderDetail } from '../api/types';
import { type TextKey, t } from '../i18n';
import { formatDay } from '../orders/dates';
import { Icon } from '../ui/Icon';

/** The last step that an order of a status has reached; other statuses have left the way (docs/product.md#order-statuses). */
const REACHED: Readonly<Record<number, number>> = {
  ...{ 1: 0, 2: 1, 0: 1, 3: 1, 5: 1, 51: 1, 8: 1 },
  ...{ 4: 2, 6: 3, 106: 3, 102: 3, 100: 3, 7: 4 },
};
const TO_ADDRESS: readonly TextKey[] = [
  'orders.progress.placed',
  'orders.progress.paid',
  'orders.progress.packed',
  'orders.progress.sent',
  'orders.progress.received',
];
const TO_STORE: readonly TextKey[] = [
  ...TO_ADDRESS.slice(0, 3),
  'orders.progress.ready',
  'orders.progress.pickedUp',
];

/** Shows how far an order is on its way to the customer; nothing for one that has ended or is disputed. */
export function Progress({ order }: { order: OrderDetail }) {
  const reached = REACHED[order.orderStatus];
  if (reached === undefined) return null;
  const dayOf = (step: number) =>
    order.history.find(({ orderStatus }) => REACHED[orderStatus] === step)?.createTime;
  return (
    <ol className="steps progress" aria-label={t('orders.progress.title')}>
      {(order.shop ? TO_STORE : TO_ADDRESS).map((text, step) => {
        const day = step > reached ? undefined : dayOf(step);
        return (
          <li
            key={text}
            className={step > reached ? undefined : 'done'}
            aria-current={step === reached ? 'step' : undefined}
          >
            <b>{step > reached ? <span className="num">{step + 1}</span> : <Icon name="check" />}</b>
            <span>{t(text)}</span>
            {day && (
              <time className="small muted" dateTime={day}>
                {formatDay(day)}
              </time>
            )}
          </li>
        );
      })}
    </ol>
  );
}
