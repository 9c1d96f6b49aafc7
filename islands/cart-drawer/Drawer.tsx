import { useSignals } from '@preact/signals-react/runtime';
import { CartContents } from '../cart/CartContents';
import type { CartProps } from '../cart/CartPage';
import { CheckOutButton } from '../cart/CheckOutButton';
import { useTitle } from '../cart/focus';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { formatAud, formatCny } from '../money';
import * as prices from '../stores/cart-prices';
import * as carts from '../stores/carts';
import { Icon } from '../ui/Icon';

export const TITLE_ID = 'cart-drawer-title';

/** Shows the whole cart in the drawer. */
export function Drawer({ rate, onClose }: CartProps & { onClose: () => void }) {
  useSignals();
  const total = prices.total.value;
  const title = useTitle(carts.isEmpty.value);
  return (
    <>
      <div className="drawer__head">
        <h2 id={TITLE_ID} {...title}>
          {t('cart.title')}
        </h2>
        <span className="muted">{t('cart.selectedShort', { checked: carts.checkedCount.value })}</span>
        <a className="link small push" href={pageUrl('/home/cart')}>
          {t('cart.viewAll')}
        </a>
        <button type="button" className="iconbtn" aria-label={t('cart.close')} onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <div className="drawer__body">
        <CartContents rate={rate} />
      </div>
      {!carts.isEmpty.value && (
        <div className="drawer__foot">
          <dl className="totals" aria-busy={carts.saving.value}>
            <div className="grand">
              <dt>
                {t('cart.total')} <small className="muted">{t('cart.beforeFreight')}</small>
              </dt>
              <dd>
                {formatAud(total)} <small className="muted">{formatCny(total, rate)}</small>
              </dd>
            </div>
          </dl>
          <CheckOutButton />
        </div>
      )}
    </>
  );
}
