import type { ReactNode } from 'react';
import type { OrderDetail } from '../api/types';
import { parcelsUrl } from '../checkout/urls';
import { type TextKey, t } from '../i18n';
import { toCents } from '../money';
import { formatTime } from '../orders/dates';
import { isUnpaid, statusText } from '../orders/status';
import { Timeline } from '../orders/Timeline';
import { payTypeName } from '../pay/payTypes';
import type { SoldOutWish } from '../stores/order-draft';
import { formatAmount } from './amount';

/** Shows the customer's wishes besides the products. */
export function Wishes({ order: { remark, soldOutWish, shop } }: { order: OrderDetail }) {
  if (!remark && !soldOutWish) return null;
  return (
    <section className="panel stack">
      {remark && (
        <>
          <h2>{t(shop ? 'wishes.remark' : 'wishes.instructions')}</h2>
          <p className="remark">{remark}</p>
        </>
      )}
      {soldOutWish && (
        <p>
          <b>{t('wishes.soldOut')}</b>
          <br />
          {t(`wishes.soldOutWish.${soldOutWish as SoldOutWish}`)}
        </p>
      )}
    </section>
  );
}

/** Shows the order's parcels and where they are. */
export function Parcels({ order: { orderNo, shipments } }: { order: OrderDetail }) {
  if (shipments.length === 0) return null;
  return (
    <section className="panel stack">
      <div className="row row--wrap">
        <h2>{t('orders.parcels')}</h2>
        <a className="link small push" href={parcelsUrl(orderNo)}>
          {t('orders.track')}
        </a>
      </div>
      {shipments.map((parcel, index) => (
        <Timeline key={parcel.parcelNo} parcel={parcel} number={index + 1} count={shipments.length} />
      ))}
    </section>
  );
}

const PAYMENT_TEXTS: Readonly<Record<string, TextKey>> = {
  pending: 'orders.payment.pending',
  paid: 'orders.payment.paid',
  failed: 'orders.payment.failed',
};

function paymentText(status: string, isOrderUnpaid: boolean): string {
  // The order was paid in another way, or cancelled.
  if (status === 'pending' && !isOrderUnpaid) return t('orders.payment.unused');
  const key = PAYMENT_TEXTS[status];
  return key ? t(key) : status;
}

type Refund = OrderDetail['refunds'][number];

const REFUND_TEXTS: Readonly<Record<string, TextKey>> = {
  due: 'orders.refundState.due',
  sending: 'orders.refundState.due',
  done: 'orders.refundState.done',
  failed: 'orders.refundState.failed',
};

const REFUND_REASONS: Readonly<Record<string, TextKey>> = {
  paid_twice: 'orders.refundReason.paidTwice',
  overpaid: 'orders.refundReason.overpaid',
  order_canceled: 'orders.refundReason.orderCanceled',
  order_ended: 'orders.refundReason.orderEnded',
  wrong_amount: 'orders.refundReason.wrongAmount',
  wrong_currency: 'orders.refundReason.wrongCurrency',
  chargeback: 'orders.refundReason.chargeback',
  wallet_debt: 'orders.refundReason.walletDebt',
};

function refundText(status: string): string {
  const key = REFUND_TEXTS[status];
  return key ? t(key) : status;
}

/** Shows why money goes back: in the words of staff, or of what happened. */
function whyRefunded({ note, reason }: Refund): string {
  const key = REFUND_REASONS[reason];
  return note || (key ? t(key) : '');
}

/** Shows where the money of a refund goes, why, and links to its credit note. */
function RefundFacts({ refund }: { refund: Refund }) {
  const why = whyRefunded(refund);
  return (
    <small className="muted refund-facts">
      {t(refund.to === 'wallet' ? 'orders.refundTo.wallet' : 'orders.refundTo.source')}
      {why && ` · ${why}`}
      {refund.creditNoteUrl && (
        <>
          {' · '}
          <a className="link" href={refund.creditNoteUrl} target="_blank" rel="noreferrer">
            {t('orders.creditNote', { number: refund.number })}
          </a>
        </>
      )}
    </small>
  );
}

interface EntryProps {
  name: string;
  time: string;
  amount: number;
  currency: string;
  state: string;
  children?: ReactNode;
}

function Entry({ name, time, amount, currency, state, children }: EntryProps) {
  return (
    <li className="row row--wrap">
      <span>
        <b>{name}</b>{' '}
        <small className="muted nowrap">
          <time dateTime={time}>{formatTime(time)}</time>
        </small>
      </span>
      <span className="push num">{formatAmount(toCents(amount), currency)}</span>
      <span className="badge badge--mute">{state}</span>
      {children}
    </li>
  );
}

/** Shows the order's payments and refunds with their statuses. */
export function Payments({ order }: { order: OrderDetail }) {
  const { payments, refunds } = order;
  if (payments.length + refunds.length === 0) return null;
  return (
    <section className="panel stack">
      <h2>{t('orders.payments')}</h2>
      <ul className="stack">
        {payments.map((payment) => (
          <Entry
            key={payment.createTime}
            name={payTypeName(payment)}
            time={payment.createTime}
            amount={payment.amount}
            currency={payment.currency}
            state={paymentText(payment.status, isUnpaid(order))}
          />
        ))}
        {refunds.map((refund) => (
          <Entry
            key={`${refund.createTime} ${refund.number} ${refund.amount}`}
            name={t('orders.refund')}
            time={refund.createTime}
            amount={-refund.amount}
            currency={refund.currency}
            state={refundText(refund.status)}
          >
            <RefundFacts refund={refund} />
          </Entry>
        ))}
      </ul>
    </section>
  );
}

const STEP_TEXTS: Readonly<Record<string, TextKey>> = {
  placed: 'orders.step.placed',
  payment: 'orders.step.payment',
  late_payment: 'orders.step.payment',
  customer: 'orders.step.customer',
  expired: 'orders.step.expired',
  shipment: 'orders.step.shipment',
  rest_closed: 'orders.step.restClosed',
  handed_over: 'orders.step.handedOver',
  delivered: 'orders.step.delivered',
  receipt: 'orders.step.receipt',
  time_passed: 'orders.step.timePassed',
  refunded: 'orders.step.refunded',
  undone: 'orders.step.undone',
};

/** What staff did, by the code of the status: several of them share a label. */
const STATUS_STEPS: Readonly<Record<number, TextKey>> = {
  0: 'orders.step.inReview',
  3: 'orders.step.picking',
  4: 'orders.step.packed',
  5: 'orders.step.asking',
  51: 'orders.step.awaitingStock',
  8: 'orders.step.onHold',
  100: 'orders.step.ready',
  102: 'orders.step.outForDelivery',
  90: 'orders.step.returned',
};

/** Shows what happened in a step, if that is more than the label of the status. */
function stepText({ reason, orderStatus, statusLabel }: OrderDetail['history'][number]): string {
  const key = STEP_TEXTS[reason] ?? STATUS_STEPS[orderStatus];
  return key ? `${statusText(statusLabel)} · ${t(key)}` : statusText(statusLabel);
}

/** Shows the history of the order's status. */
export function History({ order }: { order: OrderDetail }) {
  return (
    <section className="panel stack">
      <h2>{t('orders.history')}</h2>
      <ol className="stack">
        {order.history.map((step) => (
          <li className="row row--wrap" key={step.createTime + step.orderStatus}>
            <b>{stepText(step)}</b>
            <time className="muted small push" dateTime={step.createTime}>
              {formatTime(step.createTime)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  );
}
