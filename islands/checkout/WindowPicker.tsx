import { useSignals } from '@preact/signals-react/runtime';
import { errorOf, type FormError } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import * as checkout from '../stores/checkout';
import { loadWindows, windows, windowsError, windowsState } from '../stores/windows';
import { LoadFailure } from '../ui/LoadFailure';
import { Notice } from '../ui/Notice';
import { byDay, slotPeriod } from './slots';
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
        <SelectField
          id={WINDOW_ID}
          label={t('wishes.window')}
          hint={t('wishes.windowHint')}
          error={errorOf(errors, WINDOW_ID)}
          value={deliverySlot}
          onChange={(chosen) => {
            const slot = slots.find((offered) => offered.deliverySlot === chosen);
            checkout.noteWishes({ deliverySlot: chosen, deliveryUntil: slot?.endTime ?? '' });
          }}
        >
          <option value="">{t('address.choose')}</option>
          {byDay(slots, (slot) => slot.deliverySlot).map(([day, ofDay]) => (
            <optgroup key={day} label={day}>
              {ofDay.map((slot) => {
                const time = slotPeriod(slot.deliverySlot, slot.endTime);
                return (
                  <option key={slot.deliverySlot} value={slot.deliverySlot} disabled={slot.left < 1}>
                    {slot.left < 1 ? t('checkout.slotFull', { time }) : `${day} ${time}`}
                  </option>
                );
              })}
            </optgroup>
          ))}
        </SelectField>
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
