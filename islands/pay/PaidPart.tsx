import { t } from '../i18n';
import { formatAud, toCents } from '../money';

/** What an order costs and what is left to pay of it, null once it is paid, in dollars as the wire has them. */
interface Props {
  payAmount: number;
  leftToPay: number | null;
}

/** Shows how much of an order is paid, and how much is left; nothing of one that is paid as a whole. */
export function PaidPart({ payAmount, leftToPay }: Props) {
  if (leftToPay === null || leftToPay >= payAmount) return null;
  return (
    <dl className="totals">
      <div>
        <dt>{t('wallet.part.paid')}</dt>
        <dd>{formatAud(toCents(leftToPay) - toCents(payAmount))}</dd>
      </div>
      <div className="grand">
        <dt>{t('wallet.part.left')}</dt>
        <dd>{formatAud(toCents(leftToPay))}</dd>
      </div>
    </dl>
  );
}
