import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { buyWithoutPromotion } from '../stores/cart-actions';
import { type CartNotice, dismiss, notices } from '../stores/cart-notices';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { showError } from '../ui/toast';
import { focusTitle } from './focus';

function OneNotice({ notice }: { notice: CartNotice }) {
  const [busy, setBusy] = useState(false);
  const { promotion } = notice;
  const names = notice.goods
    .map((line) => bothNames(line.goodsName, line.goodsEnglishName).name)
    .join(t('ui.listComma'));

  async function buy(button: HTMLElement) {
    setBusy(true);
    focusTitle(button);
    await buyWithoutPromotion(notice).catch(showError);
    setBusy(false);
  }

  return (
    <Notice
      kind="warn"
      action={
        <button
          type="button"
          className="iconbtn iconbtn--sm"
          aria-label={t('ui.dismiss')}
          onClick={(event) => {
            focusTitle(event.currentTarget);
            dismiss(notice.id);
          }}
        >
          <Icon name="x" />
        </button>
      }
    >
      {promotion ? (
        <>
          <p>
            <b>
              {t('promotion.over', {
                name: bothNames(promotion.goodsActionTypeName, promotion.goodsActionTypeNameEn).name,
              })}
            </b>{' '}
            {t('promotion.taken', { names })}
          </p>
          <Button kind="line" size="sm" busy={busy} onClick={(event) => buy(event.currentTarget)}>
            {t('promotion.buyAnyway')}
          </Button>
        </>
      ) : (
        <p>{t('cart.gone', { names })}</p>
      )}
    </Notice>
  );
}

/** Shows what has left the carts automatically, until it is dismissed (docs/product.md#carts). */
export function CartNotices() {
  useSignals();
  if (notices.value.length === 0) return null;
  return (
    <section className="stack" aria-label={t('cart.notices')}>
      {notices.value.map((notice) => (
        <OneNotice key={notice.id} notice={notice} />
      ))}
    </section>
  );
}
