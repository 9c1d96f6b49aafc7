import { useState } from 'react';
import type { Order } from '../api/types';
import { cartUrl } from '../checkout/urls';
import { t } from '../i18n';
import { leaveTo } from '../leaving';
import { Button } from '../ui/Button';
import { showError } from '../ui/toast';
import { buyAgain } from './buy-again';

/** Puts an order's products into the cart and goes there. */
export function BuyAgain({ order, kind }: { order: Pick<Order, 'orderNo' | 'goods'>; kind?: 'line' }) {
  const [busy, setBusy] = useState(false);

  async function buy() {
    setBusy(true);
    try {
      await buyAgain(order);
      leaveTo(cartUrl());
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  }

  return (
    <Button
      kind={kind}
      size="sm"
      busy={busy}
      onClick={buy}
      aria-label={t('orders.buyAgainOf', { orderNo: order.orderNo })}
    >
      {t('orders.buyAgain')}
    </Button>
  );
}
