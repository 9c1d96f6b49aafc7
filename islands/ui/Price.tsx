import { t } from '../i18n';
import { formatAud, formatCny } from '../money';

/** A price in AUD with its guide amount in CNY. */
export function Price({ cents, rate }: { cents: number; rate: number }) {
  return (
    <p className="price">
      <span className="vh">{t('ui.price')} </span>
      <span className="price__now">{formatAud(cents)}</span>
      <span className="price__cny">{formatCny(cents, rate)}</span>
    </p>
  );
}
