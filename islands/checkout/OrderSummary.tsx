import { useSignals } from '@preact/signals-react/runtime';
import { formatWeight } from '../cart/weight';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, formatCny, formatShort, toCents } from '../money';
import * as checkout from '../stores/checkout';
import { countOf } from '../stores/snapshot';
import { GoodsPicture } from '../ui/GoodsPicture';
import { Icon } from '../ui/Icon';
import { allLines } from './draft';
import { cartUrl } from './urls';

function Goods() {
  useSignals();
  return (
    <ul className="mini">
      {allLines(checkout.draft.value).map((line, place) => (
        // A goods may be bought at two prices; the list does not change while it is shown.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <li key={place}>
          <span className="count">
            <GoodsPicture goods={line} />
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

/** The freight as far as it is known; never a number that is none (UX 3). */
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
  const { address, deliveryType } = checkout.draft.value;
  const place = deliveryType === 'delivery' && address?.city;
  const total = checkout.grandTotal.value;
  return (
    <dl className="totals" aria-live="polite">
      <div>
        <dt>{t('checkout.goods', { count: countOf(allLines(checkout.draft.value)) })}</dt>
        <dd>{formatAud(checkout.goodsTotal.value)}</dd>
      </div>
      <div>
        <dt>{place ? t('checkout.freightTo', { place }) : t('checkout.freight')}</dt>
        <dd>
          <Freight />
        </dd>
      </div>
      <div className="grand">
        <dt>{t(total === null ? 'checkout.totalBeforeFreight' : 'checkout.total')}</dt>
        <dd>
          {formatAud(total ?? checkout.goodsTotal.value)}
          <small>{formatCny(total ?? checkout.goodsTotal.value, rate)}</small>
        </dd>
      </div>
    </dl>
  );
}

interface Props {
  /** CNY for one AUD. */
  rate: number;
}

/** The order so far, at the side; on narrow windows the goods are in SummaryToggle. */
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
      <Goods />
      <Totals rate={rate} />
    </aside>
  );
}

/** The order so far, folded away above the page on narrow windows. */
export function SummaryToggle() {
  useSignals();
  return (
    <details className="sum-toggle">
      <summary>
        <span className="wrap row">
          <Icon name="shopping-cart" />
          {t('checkout.showSummary')}
          <Icon name="chevron-down" />
          <b className="num">{formatAud(checkout.grandTotal.value ?? checkout.goodsTotal.value)}</b>
        </span>
      </summary>
      <div className="wrap inner stack">
        <Goods />
      </div>
    </details>
  );
}
