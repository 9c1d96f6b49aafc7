import type { ReadonlySignal } from '@preact/signals-core';
import { useSignals } from '@preact/signals-react/runtime';
import { CartContents } from '../cart/CartContents';
import type { CartProps } from '../cart/CartPage';
import { CheckOutButton, OnePromotion } from '../cart/CheckOutButton';
import { useTitle } from '../cart/focus';
import { GrandTotal } from '../cart/GrandTotal';
import { useCartPreview } from '../cart/preview';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import * as carts from '../stores/carts';
import * as promotions from '../stores/promotion-cart';
import { Icon } from '../ui/Icon';

export const TITLE_ID = 'cart-drawer-title';

/** Shows the server's total, since it alone knows what a promotion takes off. */
function AskedTotal({ rate }: CartProps) {
  useSignals();
  const { preview, isAsked } = useCartPreview();
  return <GrandTotal rate={rate} preview={preview} isAsked={isAsked} />;
}

interface Props extends CartProps {
  isOpen: ReadonlySignal<boolean>;
  onClose: () => void;
}

/** Shows the whole cart in the drawer. */
export function Drawer({ rate, isOpen, onClose }: Props) {
  useSignals();
  const title = useTitle(carts.isEmpty.value);
  return (
    <>
      <div className="drawer__head">
        <h2 id={TITLE_ID} {...title}>
          {t('cart.title')}
        </h2>
        <span className="muted xsmall">{t('cart.selectedShort', { count: carts.checkedCount.value })}</span>
        <a className="link small nowrap push" href={pageUrl('/home/cart')}>
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
            {isOpen.value && promotions.chosen.value.length > 0 ? (
              <AskedTotal rate={rate} />
            ) : (
              <GrandTotal rate={rate} preview={null} isAsked={false} />
            )}
          </dl>
          <OnePromotion />
          <CheckOutButton />
        </div>
      )}
    </>
  );
}
