import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { bothNames } from '../lang';
import * as checkout from '../stores/checkout';

/** Names the gifts that cannot be sent to the address. */
export function LeftOut() {
  useSignals();
  const gifts = checkout.draft.value.summary?.giftsLeftOut ?? [];
  if (gifts.length === 0) return null;
  const names = gifts.map((gift) => bothNames(gift.goodsName, gift.goodsEnglishName).name).join(', ');
  return (
    <p className="small" role="status">
      {t('checkout.giftsLeftOut', { names })}
    </p>
  );
}
