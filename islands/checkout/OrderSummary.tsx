import { useSignals } from '@preact/signals-react/runtime';
import { formatWeight } from '../cart/weight';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, formatCny, formatShort, toCents } from '../money';
import * as checkout from '../stores/checkout';
import { allLines, sumOf } from '../stores/order-draft';
import { countOf } from '../stores/snapshot';
import { Icon } from '../ui/Icon';
import { ProductPicture } from '../ui/ProductPicture';
import { Parcels } from './Parcels';
import { cartUrl } from './urls';

function Products() {
  useSignals();
  return (
    <ul className="mini">
      {allLines(checkout.draft.value).map((line, index) => (
        // A product may be bought at two prices, and the list does not change while it is shown.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={index}>
          <span className="count">
            <ProductPicture product={line} />
            <span className="n">
              {line.goodsAmount}
              <span className="vh"> × </span>
            </span>
          </span>
          <div>
            {bothNames(line.goodsName, line.goodsEnglishName).name}
            {line.netWeight !== null && <small>{formatWeight(line.netWeight)}</small>}
          </div>
          <b>{formatShort(toCents(line.memberPrice) * line.goodsAmount)}</b>
        </li>
      ))}
    </ul>
  );
}

/** Shows the freight if it is known, never a number that is not one (docs/ux.md#components). */
function Freight() {
  useSignals();
  switch (checkout.freightState.value) {
    case 'loading':
      return <span className="muted">{t('checkout.freightLoading')}</span>;
    case 'ready':
      return formatAud(toCents(checkout.draft.value.freight ?? 0));
    case 'failed':
      return (
        <button type="button" className="link" onClick={checkout.retryFreight}>
          {t('ui.tryAgain')}
        </button>
      );
    default:
      return <span className="muted">{t('checkout.freightUnknown')}</span>;
  }
}

function Totals({ rate }: { rate: number }) {
  useSignals();
  const { address, deliveryType, goodsList, promotion, promotionGoodsList } = checkout.draft.value;
  const place = deliveryType === 'delivery' && address?.city;
  const total = checkout.grandTotal.value;
  const promotionName =
    promotion && bothNames(promotion.goodsActionTypeName, promotion.goodsActionTypeNameEn).name;
  const groups = [
    { name: t('checkout.ordinary'), lines: goodsList },
    { name: promotionName ?? '', lines: promotionGoodsList },
  ].filter(({ lines }) => lines.length > 0);
  return (
    <dl className="totals" aria-live="polite">
      {groups.map(({ name, lines }) => (
        <div key={name}>
          <dt>{t('checkout.products', { name, count: countOf(lines) })}</dt>
          <dd>{formatAud(sumOf(lines))}</dd>
        </div>
      ))}
      <div className="wraps">
        <dt>{place ? t('checkout.freightTo', { place }) : t('checkout.freight')}</dt>
        <dd>
          <Freight />
        </dd>
        {checkout.draft.value.parcels.length > 0 && (
          <dd className="wide">
            <Parcels />
          </dd>
        )}
      </div>
      <div className="grand">
        <dt>{t(total === null ? 'checkout.totalBeforeFreight' : 'checkout.total')}</dt>
        <dd>
          {formatAud(total ?? checkout.productTotal.value)}
          <small>{formatCny(total ?? checkout.productTotal.value, rate)}</small>
        </dd>
      </div>
    </dl>
  );
}

interface Props {
  /** CNY for one AUD. */
  rate: number;
}

/** Shows the order so far beside the page; in narrow windows SummaryToggle has its products. */
export function OrderSummary({ rate }: Props) {
  useSignals();
  return (
    <aside className="panel panel--well stack co-aside" aria-label={t('checkout.summary')}>
      <div className="row">
        <h2>{t('checkout.summary')}</h2>
        {!checkout.draft.value.orderNo && (
          <a className="link small push" href={cartUrl()}>
            {t('checkout.editCart')}
          </a>
        )}
      </div>
      <Products />
      <Totals rate={rate} />
    </aside>
  );
}

/** Shows the order so far in a collapsed box above the page, in narrow windows. */
export function SummaryToggle() {
  useSignals();
  return (
    <details className="sum-toggle">
      <summary>
        <span className="wrap row">
          <Icon name="shopping-cart" />
          {t('checkout.showSummary')}
          <Icon name="chevron-down" />
          <b className="num">{formatAud(checkout.grandTotal.value ?? checkout.productTotal.value)}</b>
        </span>
      </summary>
      <div className="wrap inner stack">
        <Products />
      </div>
    </details>
  );
}
