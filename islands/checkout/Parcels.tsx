import { useSignals } from '@preact/signals-react/runtime';
import { daysText } from '../arrival/words';
import { FreeDelivery } from '../cart/FreeDelivery';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, toCents } from '../money';
import * as checkout from '../stores/checkout';
import { Icon } from '../ui/Icon';

/** As many parcels are shown without being asked for. */
const SHOWN_INITIALLY = 3;

/**
 * Shows when parcels are free, and what the freight pays for: each parcel's price, with its storage, weight, place and
 * the rule for it.
 */
export function Parcels() {
  useSignals();
  const { parcels, freeFrom, orderNo } = checkout.draft.value;
  return (
    <>
      {!orderNo && <FreeDelivery freeFrom={freeFrom} />}
      <details className="parcels" open={parcels.length <= SHOWN_INITIALLY}>
        <summary>
          {t('freight.parcels', { count: parcels.length })}
          <Icon name="chevron-down" />
        </summary>
        <ul className="f">
          {parcels.map(({ freight, reason, reasonEn, daysFrom, daysTo }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two parcels may be equal, and the list comes as a whole
            <li key={index}>
              <span>
                {bothNames(reason, reasonEn).name}
                {daysTo && (
                  <small>
                    {t('arrival.only', { days: daysText({ daysFrom: daysFrom ?? daysTo, daysTo }) })}
                  </small>
                )}
              </span>
              <span>{formatAud(toCents(freight))}</span>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
