import type { Order } from '../api/types';
import { orderUrl, parcelsUrl } from '../checkout/urls';
import { t } from '../i18n';
import { formatAud, formatCny, toCents } from '../money';
import { ProductPicture } from '../ui/ProductPicture';
import { BuyAgain } from './BuyAgain';
import { formatDay, formatTime } from './dates';
import {
  heldText,
  isHeld,
  isUnderway,
  isUnpaid,
  mayChange,
  orderStatusText,
  statusBadge,
  whereabouts,
} from './status';

const PICTURES = 5;

/** Shows one order of the list with its next action. */
export function OrderCard({ order, rate }: { order: Order; rate: number }) {
  const { orderNo, statusLabel, createTime, expireTime, goods } = order;
  const amount = toCents(order.payAmount);
  const count = goods.reduce((sum, line) => sum + line.goodsAmount, 0);
  const held = isHeld(order);
  const mustPay = isUnpaid(order) && !held;
  return (
    <article className="order" aria-label={t('orders.order', { orderNo })}>
      <header className="order__top">
        <b className="num">{orderNo}</b>
        <time dateTime={createTime}>{formatDay(createTime)}</time>
        <span className="row push">
          <small className="muted">{whereabouts(order)}</small>
          <span className={statusBadge(statusLabel)}>{orderStatusText(order)}</span>
        </span>
      </header>
      <div className="order__mid">
        <div className="order__pics">
          {goods.slice(0, PICTURES).map((line) => (
            <ProductPicture key={line.goodsId} product={line} isNamed />
          ))}
          <span className="muted small nowrap">{t('orders.items', { count })}</span>
        </div>
        <div className="order__sum">
          <b>{formatAud(amount)}</b>
          <small>{formatCny(amount, rate)}</small>
        </div>
      </div>
      <div className="order__act">
        {mustPay && (
          <p>
            {expireTime ? t('orders.payBefore', { time: formatTime(expireTime) }) : t('orders.payToPack')}
          </p>
        )}
        {held && mayChange(order) && <p>{heldText(order)}</p>}
        <a
          className="btn btn--sm btn--line"
          href={orderUrl(orderNo)}
          aria-label={t('orders.detailsOf', { orderNo })}
        >
          {t('orders.details')}
        </a>
        {!isUnpaid(order) && <BuyAgain order={order} kind="line" />}
        {isUnderway(order) && (
          <a className="btn btn--sm" href={parcelsUrl(orderNo)} aria-label={t('orders.trackOf', { orderNo })}>
            {t('orders.track')}
          </a>
        )}
        {mustPay && (
          <a className="btn btn--sm" href={`${orderUrl(orderNo)}#pay`}>
            {t('checkout.pay', { amount: formatAud(amount) })}
          </a>
        )}
      </div>
    </article>
  );
}
