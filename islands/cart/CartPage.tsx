import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { formatAud, formatCny } from '../money';
import * as cart from '../stores/cart';
import { CartContents } from './CartContents';
import { CheckOutButton } from './CheckOutButton';

function Summary({ rate }: { rate: number }) {
  useSignals();
  const total = cart.total.value;
  return (
    <aside className="panel stack" aria-label={t('cart.summary')}>
      <h2>{t('cart.summary')}</h2>
      <dl className="totals" aria-busy={cart.saving.value}>
        <div>
          <dt>{t('cart.everydayCount', { count: cart.checkedCount.value })}</dt>
          <dd>{formatAud(total)}</dd>
        </div>
        <div>
          <dt>{t('cart.freight')}</dt>
          <dd className="muted">{t('cart.freightLater')}</dd>
        </div>
        <div className="grand">
          <dt>{t('cart.total')}</dt>
          <dd>
            {formatAud(total)}
            <small>{formatCny(total, rate)}</small>
          </dd>
        </div>
      </dl>
      <CheckOutButton />
    </aside>
  );
}

export interface CartProps {
  /** CNY for one AUD. */
  rate: number;
}

/** The page /home/cart below the header. */
export function CartPage({ rate }: CartProps) {
  useSignals();
  const isEmpty = cart.lines.value.length === 0;
  return (
    <>
      <div className="pagehead">
        <h1>{t('cart.title')}</h1>
        {!isEmpty && (
          <p className="muted">
            {t('cart.selected', { checked: cart.checkedCount.value, count: cart.count.value })}
          </p>
        )}
      </div>
      {isEmpty ? (
        <CartContents rate={rate} />
      ) : (
        <div className="twocol">
          <div className="stack">
            <CartContents rate={rate} />
          </div>
          <Summary rate={rate} />
        </div>
      )}
    </>
  );
}
