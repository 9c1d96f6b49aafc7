import { useSignals } from '@preact/signals-react/runtime';
import { formatWeight } from '../cart/weight';
import { type TextKey, t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, toCents } from '../money';
import * as checkout from '../stores/checkout';
import { Icon } from '../ui/Icon';

/** As many parcels are shown without being asked for. */
const SHOWN_AT_ONCE = 3;

const STORAGE: Readonly<Record<string, TextKey>> = {
  ambient: 'freight.storage.ambient',
  chilled: 'freight.storage.chilled',
  frozen: 'freight.storage.frozen',
};

/** Shows what the freight pays for: each parcel with its storage, weight and price, and why it costs that. */
export function Parcels() {
  useSignals();
  const { parcels } = checkout.draft.value;
  return (
    <details className="parcels" open={parcels.length <= SHOWN_AT_ONCE}>
      <summary>
        {t('freight.parcels', { count: parcels.length })}
        <Icon name="chevron-down" />
      </summary>
      <ul className="f">
        {parcels.map(({ storage, weight, freight, reason = '', reasonEn = '' }, index) => {
          const known = STORAGE[storage];
          const why = bothNames(reason, reasonEn).name;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two parcels may be equal, and the list comes as a whole
            <li key={index}>
              <span>
                {t('freight.parcel', { storage: known ? t(known) : storage, weight: formatWeight(weight) })}
                {why && <small>{why}</small>}
              </span>
              <span>{formatAud(toCents(freight))}</span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}
