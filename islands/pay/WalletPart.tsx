import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { formatAud } from '../money';
import { WalletBody } from './WalletBody';
import { WalletShort } from './WalletShort';

export { WalletBody, WalletShort };

interface Props {
  /** What is left to pay, and what the wallet has, in cents. */
  amount: number;
  balance: number;
  /** The name of the way by which the rest is paid. */
  restBy: string;
  isUsed: boolean;
  onUse: (isUsed: boolean) => void;
  pin: string;
  error: string;
  onPin: (pin: string) => void;
  onSubmit: () => void;
}

/** Offers to pay a part from the wallet first (docs/wire.md#orderpay). */
export function WalletPart({ amount, balance, restBy, isUsed, onUse, pin, error, onPin, onSubmit }: Props) {
  useSignals();
  return (
    <div className="panel panel--well stack">
      <label className="check">
        <input type="checkbox" checked={isUsed} onChange={(event) => onUse(event.target.checked)} />
        <span>{t('wallet.part.use', { amount: formatAud(balance) })}</span>
      </label>
      {isUsed && (
        <>
          <p className="small soft">
            {t('wallet.part.rest', { amount: formatAud(amount - balance), name: restBy })}
          </p>
          <WalletBody pin={pin} error={error} onPin={onPin} onSubmit={onSubmit} />
        </>
      )}
    </div>
  );
}
