import { AddressText } from '../addresses/AddressText';
import { useCountries } from '../addresses/useCountries';
import type { OrderDetail } from '../api/types';
import { slotDay, slotPeriod, slotTime } from '../checkout/slots';
import { t } from '../i18n';
import { bothNames, productUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { fromServer } from '../stores/address';
import { fullAmount, takenOff, whyOf } from '../stores/preview';
import { ProductPicture } from '../ui/ProductPicture';

/** Shows what of a line was given back: units, money, or both; empty for nothing. */
function refundedText({ refundedUnits, refundedAmount }: OrderDetail['goods'][number]): string {
  const amount = formatAud(toCents(refundedAmount));
  if (!refundedUnits) return refundedAmount ? t('orders.refundedAmount', { amount }) : '';
  if (!refundedAmount) return t('orders.refundedUnits', { count: refundedUnits });
  return t('orders.refundedBoth', { count: refundedUnits, amount });
}

/** Shows the order's products as they were bought, and what of them was given back. */
export function Lines({ order }: { order: OrderDetail }) {
  return (
    <ul className="mini">
      {order.goods.map((line) => (
        <li key={`${line.goodsId} ${line.actionTypeId}`}>
          <span className="count">
            <ProductPicture product={line} />
            <span className="n">
              {line.goodsAmount}
              <span className="vh"> × </span>
            </span>
          </span>
          <div>
            <a href={productUrl(line.goodsId)}>{bothNames(line.goodsName, line.goodsEnglishName).name}</a>
            <small className="num">{formatAud(toCents(line.price))}</small>
            {whyOf(line) && <small>{whyOf(line)}</small>}
            {refundedText(line) && <small>{refundedText(line)}</small>}
          </div>
          <b>{formatAud(fullAmount(line))}</b>
        </li>
      ))}
    </ul>
  );
}

/** Shows the order's amounts, as the server has them. */
export function Totals({ order }: { order: OrderDetail }) {
  const taken = takenOff(order);
  const gst = toCents(order.gst) + toCents(order.freightGst);
  return (
    <dl className="totals">
      <div>
        <dt>{t('orders.productsAmount')}</dt>
        <dd>{formatAud(toCents(order.orderAmount) + taken)}</dd>
      </div>
      {taken > 0 && (
        <div>
          <dt>
            {order.voucherCode
              ? t('checkout.discountWith', { code: order.voucherCode })
              : t('checkout.discount')}
          </dt>
          <dd>{formatAud(-taken)}</dd>
        </div>
      )}
      {order.points > 0 && (
        <div>
          <dt>{t('checkout.points')}</dt>
          <dd>{formatAud(-toCents(order.pointsAmount))}</dd>
        </div>
      )}
      <div>
        <dt>{t(order.shop ? 'checkout.pickup' : 'checkout.freight')}</dt>
        <dd>{formatAud(toCents(order.freight))}</dd>
      </div>
      <div className="grand">
        <dt>
          {t('checkout.total')}
          {gst > 0 && <small className="muted">{t('orders.gst', { amount: formatAud(gst) })}</small>}
        </dt>
        <dd>{formatAud(toCents(order.payAmount))}</dd>
      </div>
      {order.integral > 0 && (
        <div>
          <dt>{t('orders.points')}</dt>
          <dd>{order.integral.toLocaleString('en-AU')}</dd>
        </div>
      )}
      {order.integralPending > 0 && (
        <div>
          <dt>{t('orders.pointsPending')}</dt>
          <dd>{order.integralPending.toLocaleString('en-AU')}</dd>
        </div>
      )}
    </dl>
  );
}

/** Shows the delivery address or pick-up shop, as it was when the order was placed. */
export function Destination({ order }: { order: OrderDetail }) {
  const countries = useCountries();
  const { address, shop } = order;
  return (
    <section className="panel stack">
      <h2>{t(shop ? 'checkout.pickupAt' : 'checkout.deliverTo')}</h2>
      {address && (
        <p>
          <b>{address.contacts}</b>
          <br />
          <AddressText address={fromServer(address)} countries={countries} />
        </p>
      )}
      {order.deliverySlot && order.deliveryUntil && (
        <p className="small">
          <b>{t('wishes.window')}</b>
          <br />
          {slotDay(order.deliverySlot)} {slotPeriod(order.deliverySlot, order.deliveryUntil)}
          {order.leaveAtDoor && (
            <>
              <br />
              {t('wishes.leaveAtDoor')}
            </>
          )}
        </p>
      )}
      {order.idCard && (
        <p className="small">
          {t('wishes.idCard')}: <span className="num">{order.idCard}</span>
        </p>
      )}
      {shop && (
        <p>
          <b>{bothNames(shop.shopName, shop.shopNameEn).name}</b>
          <br />
          {shop.address}
          <br />
          {slotDay(shop.terminalDateTime)} {slotTime(shop.terminalDateTime)}
        </p>
      )}
    </section>
  );
}
