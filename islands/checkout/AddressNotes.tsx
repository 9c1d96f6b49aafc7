import { useSignals } from '@preact/signals-react/runtime';
import { usePlaceLine } from '../addresses/usePlaceLine';
import { t } from '../i18n';
import { type Address, addressAt } from '../stores/address';
import { checkedAddress } from '../stores/addresses';
import { Notice } from '../ui/Notice';
import { FreightFailure } from './FreightFailure';

interface Props {
  /** What the customer estimated as a guest, if the default address is selected instead. */
  estimated: Address | null;
  onEdit: (address: Address, byCustomer: boolean) => void;
}

/** Shows that the default address is selected instead of a guest's estimate, which can be used after all. */
function DefaultNote({ estimated, onEdit }: Props & { estimated: Address }) {
  const place = usePlaceLine(estimated);
  return (
    <Notice
      action={
        <button type="button" className="link" onClick={() => onEdit(addressAt(estimated), true)}>
          {t('checkout.deliverThere', { place })}
        </button>
      }
    >
      {t('checkout.defaultUsed', { place })}
    </Notice>
  );
}

/** Shows what is to know of the selected address: why it was selected, or why its freight could not be loaded. */
export function AddressNotes({ estimated, onEdit }: Props) {
  useSignals();
  return (
    <>
      {estimated && checkedAddress.value?.isDefault && <DefaultNote estimated={estimated} onEdit={onEdit} />}
      <FreightFailure />
    </>
  );
}
