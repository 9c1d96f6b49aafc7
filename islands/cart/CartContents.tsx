import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import * as cart from '../stores/cart';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';
import { CartGroup } from './CartGroup';
import { EmptyCart } from './EmptyCart';

/** The cart's goods, or why there are none to show. */
export function CartContents({ rate }: { rate: number }) {
  useSignals();
  const error = cart.loadError.value;
  const isEmpty = cart.lines.value.length === 0;
  return (
    <>
      {error && (
        <Notice
          kind="danger"
          action={
            <Button kind="line" size="sm" busy={cart.loading.value} onClick={cart.load}>
              {t('ui.tryAgain')}
            </Button>
          }
        >
          {t('cart.loadFailed', { reason: error })}
        </Notice>
      )}
      {!isEmpty && <CartGroup rate={rate} />}
      {isEmpty && cart.loading.value && <Skeleton />}
      {isEmpty && !cart.loading.value && !error && <EmptyCart />}
    </>
  );
}
