import { useSignals } from '@preact/signals-react/runtime';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { t } from '../i18n';
import * as checkout from '../stores/checkout';
import { loadWindows, windows, windowsError, windowsState } from '../stores/windows';
import { LoadFailure } from '../ui/LoadFailure';
import { Notice } from '../ui/Notice';
import { SlotPicker } from './SlotPicker';
import { WINDOW_ID } from './window-id';

/** Lets the customer choose when the van comes, where it brings something to the chosen address. */
export function WindowPicker({ errors }: { errors: readonly FormError[] }) {
  useSignals();
  const { deliverySlot, leaveAtDoor } = checkout.draft.value;
  if (windowsState.value === 'failed') {
    return <LoadFailure error={windowsError.value} onRetry={loadWindows} />;
  }
  if (!windows.value?.offered) return null;
  const { slots } = windows.value;
  return (
    <>
      {slots.some(({ left }) => left > 0) ? (
        <SlotPicker
          id={WINDOW_ID}
          label={t('wishes.window')}
          hint={t('wishes.windowHint')}
          error={errorOf(errors, WINDOW_ID)}
          slots={slots.map((slot) => ({ ...slot, start: slot.deliverySlot, end: slot.endTime }))}
          value={deliverySlot}
          onChoose={({ start, end }) => checkout.noteWishes({ deliverySlot: start, deliveryUntil: end })}
        />
      ) : (
        <Notice kind="warn">{t('wishes.noWindow')}</Notice>
      )}
      <label className="check">
        <input
          type="checkbox"
          checked={leaveAtDoor}
          onChange={(event) => checkout.noteWishes({ leaveAtDoor: event.target.checked })}
        />
        {t('wishes.leaveAtDoor')}
      </label>
    </>
  );
}
