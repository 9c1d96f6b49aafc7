import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderDetail } from '../api/types';
import { ordersUrl, payResultUrl } from '../checkout/urls';
import { newClaimUrl } from '../claims/urls';
import { loadTextsOf, t } from '../i18n';
import { leaveTo } from '../leaving';
import { formatAud, toCents } from '../money';
import { BuyAgain } from '../orders/BuyAgain';
import { formatTime } from '../orders/dates';
import { isHeld, isUnpaid, mayChange, orderStatusText, statusBadge, whereabouts } from '../orders/status';
import { Instructions } from '../pay/InstructionsLater';
import { PaidPart } from '../pay/PaidPart';
import { PayChoice } from '../pay/PayChoice';
import { TRANSFER } from '../pay/payTypes';
import { startPayment } from '../stores/payment';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { later } from '../ui/later';
import { PageLoading } from '../ui/PageLoading';
import { show, showError } from '../ui/toast';
import { Destination, Lines, Totals } from './Facts';
import { Next } from './Next';
import { Progress } from './Progress';
import { Receive } from './Receive';
import { History, Parcels, Payments, Wishes } from './Records';

/** The codes of orders that are wholly on their way (docs/wire.md#orderreceive). */
const CAN_BE_RECEIVED: ReadonlySet<number> = new Set([6, 102]);

/** The codes of orders that were sent, are ready or have arrived; for how long is in the form
(docs/wire.md#claims). */
const CAN_BE_CLAIMED: ReadonlySet<number> = new Set([6, 7, 100, 102, 106]);

/** See docs/product.md#order-statuses. */
const UNPAID = 1;
const Cancellation = later(async () => (await import('./Cancellation')).Cancellation, '3rem');
const Claims = later(async () => {
  await loadTextsOf('claims');
  return (await import('./Claims')).Claims;
}, '0');
const Ask = later(async () => (await import('./Ask')).Ask, '0');
const Transfer = later(async () => {
  await loadTextsOf('transfer');
  return (await import('./Transfer')).Transfer;
}, '20rem');

interface PayProps {
  order: OrderDetail;
  onRefused: () => void;
  /** Called with the pay type that was chosen. */
  onChoose: (payType: string) => void;
  /** Called once the customer has confirmed that they pay by transfer. */
  onTransfer: () => void;
}

/** Lets the customer pay an unpaid order. */
function Pay({ order, onRefused, onChoose, onTransfer }: PayProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const left = toCents(order.leftToPay ?? order.payAmount);

  async function pay(payType: string, password?: string, walletAmount?: number) {
    setBusy(true);
    setError(null);
    try {
      const inAll = walletAmount && walletAmount + toCents(order.walletHeld);
      const { jumpUrl } = await startPayment(order.orderNo, payType, password, undefined, inAll);
      if (jumpUrl === null && payType === TRANSFER) onTransfer();
      else leaveTo(jumpUrl ?? payResultUrl(order.orderNo));
    } catch (failure) {
      setError(failure);
      onRefused();
    }
    setBusy(false);
  }

  return (
    <section className="panel stack" id="pay" aria-labelledby="pay-title">
      <h2 id="pay-title" tabIndex={-1}>
        {t(isHeld(order) ? 'orders.payOtherwise' : 'checkout.payTitle')}
      </h2>
      {order.expireTime && !isHeld(order) && (
        <p className="small soft">{t('orders.payBefore', { time: formatTime(order.expireTime) })}</p>
      )}
      <PaidPart payAmount={order.payAmount} leftToPay={order.leftToPay} />
      <PayChoice
        purchase={`orderNo=${order.orderNo}`}
        amount={left}
        buttonLabel={(cents, isCollected) =>
          isCollected ? t('checkout.payThisWay') : t('checkout.pay', { amount: formatAud(cents) })
        }
        busy={busy}
        error={error}
        initial={order.payType}
        onChoose={(chosen) => onChoose(chosen.payType)}
        onPay={pay}
      />
    </section>
  );
}

interface CancelProps {
  orderNo: string;
  onCancelled: () => void;
}

/** Lets the customer cancel the order, after a confirmation. */
function Cancel({ orderNo, onCancelled }: CancelProps) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function cancel() {
    setBusy(true);
    try {
      await call('PUT', `/pc/order/cancel/${orderNo}`);
      show('ok', t('orders.cancelled'));
    } catch (error) {
      showError(error);
    }
    setBusy(false);
    setAsking(false);
    onCancelled();
  }

  return (
    <>
      <Button kind="quiet" size="sm" onClick={() => setAsking(true)}>
        {t('orders.cancel')}
      </Button>
      {asking && (
        <Dialog
          title={t('orders.cancelTitle')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button busy={busy} onClick={cancel}>
                {t('orders.cancelYes')}
              </Button>
              <Button kind="line" onClick={() => setAsking(false)}>
                {t('orders.cancelNo')}
              </Button>
            </>
          }
        >
          <p>{t('orders.cancelText', { orderNo })}</p>
        </Dialog>
      )}
    </>
  );
}

export interface OrderDetailsProps {
  orderNo: string;
}

/** Shows one order: products, destination, amounts, payments, history. */
export function OrderDetails({ orderNo }: OrderDetailsProps) {
  const [order, setOrder] = useState<OrderDetail | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [choosesTransfer, setChoosesTransfer] = useState(false);
  const [asks, setAsks] = useState(false);

  const load = useCallback(() => {
    setFailure(null);
    call<OrderDetail>('GET', `/pc/order/detailed/${encodeURIComponent(orderNo)}`).then(setOrder, setFailure);
  }, [orderNo]);
  useEffect(load, [load]);
  useEffect(() => {
    // The fragment's target is rendered only now.
    if (order && location.hash === '#pay') document.getElementById('pay-title')?.focus();
  }, [order]);

  const waitsForStaff = order !== null && isHeld(order);
  useEffect(() => {
    // The checkout leads here after the choice of a transfer.
    if (waitsForStaff) void import('../stores/checkout').then(({ cleanDraft }) => cleanDraft(orderNo));
  }, [waitsForStaff, orderNo]);

  function toTransfer() {
    location.hash = 'instructions';
    document.getElementById('instructions-title')?.focus();
    load();
  }

  if (failure !== null || !order) {
    return <PageLoading title={orderNo} error={failure} onRetry={load} lines={4} height="8rem" />;
  }

  const isByTransfer = order.payType === TRANSFER;
  const takesTransfer =
    order.orderStatus === UNPAID
      ? order.transfer || isByTransfer || choosesTransfer
      : order.transfer?.status === 'waiting';
  const toPay = [
    takesTransfer && <Transfer key="transfer" order={order} onChanged={load} />,
    mayChange(order) && (
      <Pay
        key="pay"
        order={order}
        onRefused={load}
        onChoose={(payType) => setChoosesTransfer(payType === TRANSFER)}
        onTransfer={toTransfer}
      />
    ),
  ];
  // Below the choice while it is only looked at there, so that what was pressed stays where it is.
  if (!isByTransfer) toPay.reverse();
  return (
    <div className="stack">
      <p>
        <a className="link small" href={ordersUrl()}>
          <Icon name="arrow-left" />
          {t('orders.backToOrders')}
        </a>
      </p>
      <div className="row row--wrap">
        <h1 className="num">{order.orderNo}</h1>
        <span className={statusBadge(order.statusLabel)}>{orderStatusText(order)}</span>
        <span className="muted">{whereabouts(order)}</span>
        {mayChange(order) && (
          <span className="push">
            <Cancel orderNo={order.orderNo} onCancelled={load} />
          </span>
        )}
      </div>
      <p className="muted">
        {t('orders.madeAt')} <time dateTime={order.createTime}>{formatTime(order.createTime)}</time>
      </p>
      <Progress order={order} />
      {(order.cancellation || order.mayRequestCancel) && (
        <Cancellation order={order} onRequested={setOrder} onRefused={load} />
      )}
      {order.orderStatus === UNPAID && (
        <Instructions orderNo={order.orderNo} payType={order.payType} order={order} />
      )}
      {toPay}
      <Next order={order} />
      <div className="row row--wrap">
        {CAN_BE_RECEIVED.has(order.orderStatus) && <Receive orderNo={order.orderNo} onReceived={load} />}
        {!isUnpaid(order) && <BuyAgain order={order} kind="line" />}
        {CAN_BE_CLAIMED.has(order.orderStatus) && (
          <a className="btn btn--sm btn--line" href={newClaimUrl(order.orderNo)}>
            {t('orders.claim')}
          </a>
        )}
        <Button kind="line" size="sm" onClick={() => setAsks(true)}>
          {t('orders.ask')}
        </Button>
        {asks && <Ask orderNo={order.orderNo} onClose={() => setAsks(false)} />}
        {order.invoiceUrl && (
          <a className="btn btn--sm btn--line" href={order.invoiceUrl} target="_blank" rel="noreferrer">
            {t('orders.invoice')}
          </a>
        )}
      </div>
      {CAN_BE_CLAIMED.has(order.orderStatus) && <Claims orderNo={order.orderNo} />}
      <Parcels order={order} />
      <section className="panel stack">
        <h2>{t('orders.products')}</h2>
        <Lines order={order} />
        <Totals order={order} />
      </section>
      <Destination order={order} />
      <Wishes order={order} />
      <Payments order={order} />
      <History order={order} />
    </div>
  );
}
