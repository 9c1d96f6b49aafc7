import { t } from '../i18n';
import { pageUrl } from '../lang';
import { Icon } from '../ui/Icon';

/** Shows an empty cart. */
export function EmptyCart() {
  return (
    <div className="empty">
      <span className="plate">
        <Icon name="shopping-cart" />
      </span>
      <h2>{t('cart.empty')}</h2>
      <p>{t('cart.emptyText')}</p>
      <a className="btn" href={pageUrl('/shop')}>
        {t('cart.browse')}
      </a>
    </div>
  );
}
