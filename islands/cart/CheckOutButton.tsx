import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { t } from '../i18n';
import { loginUrl, pageUrl } from '../lang';
import * as cart from '../stores/cart';
import { isLoggedIn } from '../stores/session';
import { Button } from '../ui/Button';

/** Leads the checked goods to checkout, by way of the login where needed, once every change is saved. */
export function CheckOutButton() {
  useSignals();
  const [leaving, setLeaving] = useState(false);
  const count = cart.checkedCount.value;

  async function leave() {
    setLeaving(true);
    await cart.flush();
    const delivery = pageUrl('/home/createOrder/delivery');
    if (cart.checkedCount.value === 0) setLeaving(false);
    else if (isLoggedIn.value) location.assign(delivery);
    else {
      cart.keepChecksAtLogin();
      location.assign(loginUrl(delivery));
    }
  }

  return (
    <Button size="lg" block busy={leaving} reason={count === 0 ? t('cart.checkOutNone') : ''} onClick={leave}>
      {t('cart.checkOut', { count })}
    </Button>
  );
}
