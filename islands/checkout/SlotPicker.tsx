import { useState } from 'react';
import { t } from '../i18n';
import { Icon } from '../ui/Icon';
import { byDay } from './days';
import { slotDay, slotPeriod } from './slots';

export interface Slot {
  /** dd/MM/yyyy HH:mm. */
  start: string;
  /** As the start; empty where only that is known. */
  end: string;
  /** How many more orders can have it. */
  left: number;
}

interface Props {
  /** The id of the radio button to which an error links: the chosen slot, else the first free one. */
  id: string;
  label: string;
  hint?: string;
  error?: string;
  slots: readonly Slot[];
  /** The start of the chosen slot; empty for none. */
  value: string;
  onChoose: (slot: Slot) => void;
}

const isFree = ({ left }: Slot) => left > 0;

/** Lets the customer choose a day and one of its slots: two groups of radio buttons. */
export function SlotPicker({ id, label, hint, error, slots, value, onChoose }: Props) {
  /** The day whose slots the customer wants to see; empty before they have chosen one. */
  const [wanted, setWanted] = useState('');
  const days = byDay(slots);
  const chosen = slots.find(({ start }) => start === value);
  const first = chosen ?? slots.find(isFree);
  const [shown, ofDay] =
    days.find(([day]) => day === (wanted || (first && slotDay(first.start)))) ?? days[0] ?? [];
  if (!ofDay) return null;
  const linked = ofDay.find((slot) => slot === chosen) ?? ofDay.find(isFree);
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <fieldset className="stack slots">
      <legend className="label">{label}</legend>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`}>
          <Icon name="circle-alert" />
          {error}
        </p>
      )}
      <div className="slots__days" role="radiogroup" aria-label={t('wishes.day')}>
        {days.map(([day, [{ start }]]) => (
          <label className="chip" key={day}>
            <input type="radio" name={`${id}-day`} checked={day === shown} onChange={() => setWanted(day)} />
            <b>{slotDay(start, { weekday: 'short' })}</b>
            <span>{slotDay(start, { day: 'numeric', month: 'short' })}</span>
          </label>
        ))}
      </div>
      <div
        className="chips"
        role="radiogroup"
        aria-label={`${label} ${shown}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={described || undefined}
      >
        {ofDay.map((slot) => {
          const time = slotPeriod(slot.start, slot.end);
          return (
            <label className="chip num" key={slot.start}>
              <input
                id={slot === linked ? id : undefined}
                type="radio"
                name={`${id}-time`}
                value={slot.start}
                checked={slot === chosen}
                disabled={!isFree(slot)}
                onChange={() => onChoose(slot)}
              />
              {isFree(slot) ? time : t('checkout.slotFull', { time })}
            </label>
          );
        })}
      </div>
      <p className="small" role="status">
        {chosen && t('wishes.chosenTime', { day: slotDay(value), time: slotPeriod(value, chosen.end) })}
      </p>
    </fieldset>
  );
}
