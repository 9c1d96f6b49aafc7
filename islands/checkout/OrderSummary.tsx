import { useSignals } from '@preact/signals-react/runtime';
import { loadTextsOf, t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, formatCny, toCents } from '../money';
import * as checkout from '../stores/checkout';
import { shownLines } from '../stores/order-draft';
import { fullAmount, type SummaryLine, takenOff, whyOf } from '../stores/preview';
import { isLoggedIn } from '../stores/session';
import { Icon } from '../ui/Icon';
import { later } from '../ui/later';
import { ProductPicture } from '../ui/ProductPicture';
import { cartUrl } from './urls';

function Products() {
  useSignals();
  return (
    <ul className="mini">
      {shownLines(checkout.draft.value).map((line, index) => (
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
            {whyOf(line) && <small>{whyOf(line)}</small>}
          </div>
          <b>{formatAud(fullAmount(line))}</b>
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
      return <>{formatAud(toCents(checkout.draft.value.freight ?? 0))}</>;
    case 'failed':
      return checkout.freightNeedsOtherProducts.value ? (
        <span className="muted">–</span>
      ) : (
        <button type="button" className="link" onClick={checkout.retryFreight}>
          {t('ui.tryAgain')}
        </button>
      );
    default:
      return <span className="muted">{t('checkout.freightUnknown')}</span>;
  }
}

const Parcels = later(async () => {
  await loadTextsOf('place');
  await loadTextsOf('cart');
  return (await import('./Parcels')).Parcels;
}, '1.5rem');

const Reductions = later(async () => {
  await loadTextsOf('points');
  return (await import('./Reductions')).Reductions;
}, '4.5rem');

/** Counts the units of lines. */
const countOf = (lines: readonly SummaryLine[]) => lines.reduce((sum, line) => sum + line.goodsAmount, 0);

/** Adds up what lines cost before anything is taken off, in cents. */
const fullTotal = (lines: readonly SummaryLine[]) => lines.reduce((sum, line) => sum + fullAmount(line), 0);

function Totals({ rate }: { rate: number }) {
  useSignals();
  const { deliveryType, promotion, summary } = checkout.draft.value;
  // What is given away counts neither as bought nor as a discount.
  const lines = shownLines(checkout.draft.value).filter(({ isGift }) => !isGift);
  const discount = summary ? takenOff(summary) : 0;
  const points = checkout.paidWithPoints.value;
  const total = checkout.grandTotal.value;
  const soFar = checkout.totalSoFar.value;
  const promotionName =
    promotion && bothNames(promotion.goodsActionTypeName, promotion.goodsActionTypeNameEn).name;
  const groups = [
    { name: t('cart.everyday'), lines: lines.filter(({ actionTypeId }) => actionTypeId === null) },
    { name: promotionName ?? '', lines: lines.filter(({ actionTypeId }) => actionTypeId !== null) },
  ].filter(({ lines }) => lines.length > 0);
  return (
    <dl className="totals" aria-live="polite">
      {groups.map(({ name, lines }) => (
        <div key={name}>
          <dt>{t('checkout.products', { name, count: countOf(lines) })}</dt>
          <dd>{formatAud(fullTotal(lines))}</dd>
        </div>
      ))}
      {discount > 0 && (
        <div>
          <dt>{t('checkout.discount')}</dt>
          <dd>{formatAud(-discount)}</dd>
        </div>
      )}
      {points > 0 && (
        <div>
          <dt>{t('checkout.points')}</dt>
          <dd>{formatAud(-points)}</dd>
        </div>
      )}
      <div className="wraps">
        <dt>{t(deliveryType === 'pickup' ? 'checkout.pickup' : 'checkout.freight')}</dt>
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
          {formatAud(soFar)}
          <small>{formatCny(soFar, rate)}</small>
        </dd>
      </div>
    </dl>
  );
}

interface Props {
  /** CNY for one AUD. */
  rate: number;
  /** How many points pay a dollar. */
  pointsPerDollar: number;
}

/** Shows the order so far next to the page; in narrow windows SummaryToggle has its products. */
export function OrderSummary({ rate, pointsPerDollar }: Props) {
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
      {isLoggedIn.value && <Reductions pointsPerDollar={pointsPerDollar} />}
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
          <b className="num">{formatAud(checkout.totalSoFar.value)}</b>
        </span>
      </summary>
      <div className="wrap inner stack">
        <Products />
      </div>
    </details>
  );
}
