import type { Preview } from '../api/types';
import { t } from '../i18n';
import { formatAud, toCents } from '../money';

/**
 * Shows how much more the products must cost until each kind of parcel is free
 * (docs/freight.md#free-from-an-amount). Draft orders that an older page has stored have no such amounts.
 */
export function FreeDelivery({ freeFrom = [] }: Partial<Pick<Preview, 'freeFrom'>>) {
  if (freeFrom.length === 0) return null;
  return (
    <ul className="f free-from">
      {freeFrom.map(({ storage, amount, missing, saved }) => {
        const parcel = t(`freight.parcel.${storage}`);
        return (
          <li key={storage}>
            {missing > 0
              ? t('freight.missing', {
                  amount: formatAud(toCents(missing)),
                  parcel,
                  saved: formatAud(toCents(saved)),
                })
              : t('freight.free', { parcel })}
            {missing > 0 && <progress max={amount} value={amount - missing} aria-hidden="true" />}
          </li>
        );
      })}
    </ul>
  );
}
