import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { t } from '../i18n';
import { bothNames, pageUrl } from '../lang';
import { leaveTo, leaving } from '../leaving';
import { canCheckOut, checkAllCarts } from '../stores/cart-actions';
import * as carts from '../stores/carts';
import * as promotions from '../stores/promotion-cart';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';

/** Shows that an order may hold one promotion only, and lets the customer choose it (docs/product.md#carts). */
export function OnePromotion() {
  useSignals();
  if (!carts.isMixed.value) return null;
  const choices = promotions.chosen.value.map((group) => (
    <Button
      key={group.goodsActionTypeId}
      kind="line"
      size="sm"
      onClick={() => promotions.checkOnly(group.goodsActionTypeId)}
    >
      {t('promotion.keepOnly', {
        name: bothNames(group.goodsActionTypeName, group.goodsActionTypeNameEn).name,
      })}
    </Button>
  ));
  return (
    <Notice kind="warn">
      <p>{t('promotion.onePerOrder')}</p>
      <div className="stack">{choices}</div>
    </Notice>
  );
}

/** Goes to checkout with the checked products, once every change is saved; while none is checked, with all. */
export function CheckOutButton() {
  useSignals();
  const [saving, setSaving] = useState(false);
  const count = carts.checkedCount.value;
  const isMixed = carts.isMixed.value;
  const checksAll = count === 0 && canCheckOut.value;

  async function leave() {
    if (checksAll) checkAllCarts();
    // Of several promotions the customer chooses one first.
    if (carts.isMixed.value) return;
    setSaving(true);
    await carts.flush();
    setSaving(false);
    if (carts.checkedCount.value === 0) return;
    leaveTo(pageUrl('/home/createOrder/delivery'));
  }

  const impossible = count === 0 && !checksAll ? t('cart.nothingToBuy') : '';
  const reason = isMixed ? t('promotion.chooseOne') : impossible;
  return (
    <Button size="lg" block busy={saving || leaving.value} reason={reason} onClick={leave}>
      {checksAll ? t('cart.checkOutAll') : t('cart.checkOut', { count })}
    </Button>
  );
}
