import { usePlaceLine } from '../addresses/usePlaceLine';
import { t } from '../i18n';
import type { Place } from '../stores/known-place';
import { Notice } from '../ui/Notice';
import { FreightFailure } from './FreightFailure';

interface Props {
  /** What the customer estimated as a guest, if the default address is selected instead. */
  estimated: Place | null;
  onUse: () => void;
}

/** Shows that the default address is selected instead of a guest's estimate, which can be used after all. */
function DefaultNote({ estimated, onUse }: Props & { estimated: Place }) {
  const place = usePlaceLine(estimated);
  return (
    <Notice
      action={
        <button type="button" className="link" onClick={onUse}>
          {t('checkout.deliverThere', { place })}
        </button>
      }
    >
      {t('checkout.defaultUsed', { place })}
    </Notice>
  );
}

/** Shows what is to know of the selected address: why it was selected, or why its freight could not be loaded. */
export function AddressNotes({ estimated, onUse }: Props) {
  return (
    <>
      {estimated && <DefaultNote estimated={estimated} onUse={onUse} />}
      <FreightFailure />
    </>
  );
}
