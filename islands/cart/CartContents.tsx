import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import type { ServerCart } from '../stores/bulk-cart';
import { bulk } from '../stores/bulk-cart';
import * as cart from '../stores/cart';
import * as carts from '../stores/carts';
import * as promotions from '../stores/promotion-cart';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';
import { CartGroup } from './CartGroup';
import { CartNotices } from './CartNotices';
import { EmptyCart } from './EmptyCart';
import { PromotionGroup } from './PromotionGroup';

interface Props {
  /** CNY for one AUD. */
  rate: number;
}

function ServerGroup({ store, title, rate }: Props & { store: ServerCart; title: string }) {
  useSignals();
  const actions = { ...store, messageOf: (goodsId: number) => store.messages.value[goodsId] };
  if (store.lines.value.length === 0) return null;
  return (
    <CartGroup
      title={title}
      lines={store.lines.value}
      actions={actions}
      rate={rate}
      saving={store.saving.value}
    />
  );
}

/** Shows the lines of all carts, or why there are none. */
export function CartContents({ rate }: Props) {
  useSignals();
  const error = cart.loadError.value || bulk.loadError.value;
  const isEmpty = carts.isEmpty.value;
  return (
    <>
      {error && (
        <Notice
          kind="danger"
          action={
            <Button kind="line" size="sm" busy={carts.loading.value} onClick={carts.load}>
              {t('ui.tryAgain')}
            </Button>
          }
        >
          {t('cart.loadFailed', { reason: error })}
        </Notice>
      )}
      <CartNotices />
      {promotions.groups.value
        .filter((group) => group.valid)
        .map((group) => (
          <PromotionGroup key={group.goodsActionTypeId} group={group} rate={rate} />
        ))}
      <ServerGroup store={cart} title={t('cart.everyday')} rate={rate} />
      <ServerGroup store={bulk} title={t('bulk.title')} rate={rate} />
      {isEmpty && carts.loading.value && <Skeleton />}
      {isEmpty && !carts.loading.value && !error && <EmptyCart />}
    </>
  );
}
