import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { t } from '../i18n';
import { clearCarts } from '../stores/cart-actions';
import * as carts from '../stores/carts';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { showError } from '../ui/toast';

/** Empties all carts, once the customer has confirmed it (docs/product.md#carts). */
export function ClearCart() {
  useSignals();
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);

  function clear() {
    close();
    clearCarts().catch(showError);
  }

  return (
    <>
      <Button kind="quiet" size="sm" className="push" onClick={() => setAsking(true)}>
        <Icon name="trash-2" />
        {t('cart.clear')}
      </Button>
      {asking && (
        <Dialog
          title={t('cart.clearTitle')}
          onClose={close}
          actions={
            <>
              <Button onClick={clear}>{t('cart.clear')}</Button>
              <Button kind="line" onClick={close}>
                {t('cart.clearKeep')}
              </Button>
            </>
          }
        >
          <p>{t('cart.clearText', { count: carts.count.value })}</p>
        </Dialog>
      )}
    </>
  );
}
