import { t } from '../i18n';
import { pageUrl } from '../lang';
import { formatAud } from '../money';
import { Button } from '../ui/Button';

interface Props {
  /** What the wallet has, and what it lacks to pay all that is left, in cents. */
  balance: number;
  missing: number;
  /** The name of the way by which the rest could be paid; empty where there is none. */
  restBy: string;
  /** Called to pay what the wallet has from it, and the rest by that way. */
  onPart: () => void;
}

/** Shows what a chosen wallet lacks, and links to what works: a part from it, or topping it up. */
export function WalletShort({ balance, missing, restBy, onPart }: Props) {
  const amounts = { amount: formatAud(balance), missing: formatAud(missing) };
  return (
    <div className="option__body stack">
      <p className="small">{t('wallet.short.text', amounts)}</p>
      <div className="row row--wrap">
        {balance > 0 && restBy && (
          <Button kind="soft" size="sm" onClick={onPart}>
            {t('wallet.short.part', { ...amounts, name: restBy })}
          </Button>
        )}
        <a className="btn btn--sm btn--line" href={pageUrl('/home/account/wallet')}>
          {t('wallet.short.topUp')}
        </a>
      </div>
    </div>
  );
}
