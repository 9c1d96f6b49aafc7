/* Writes when things arrive; the texts are those of `place`. */
import type { Arrival } from '../api/types';
import { slotDay, slotPeriod, slotTime } from '../checkout/slots';
import { t } from '../i18n';
import { bothNames } from '../lang';

type Days = Pick<Arrival['parcels'][number], 'daysFrom' | 'daysTo'>;

/** Writes a number of working days: 3 working days, 2–4 working days. */
export const daysText = ({ daysFrom, daysTo }: Days): string =>
  daysFrom === daysTo
    ? t('arrival.days', { count: daysTo })
    : t('arrival.range', { from: daysFrom, to: daysTo });

/** Writes a date such as 2026-12-31 in the page's language. */
export const dateText = (date: string): string => slotDay(`${date.split('-').reverse().join('/')} 00:00`);

/** Writes when the van comes or the parcels arrive, a line for each; `isBooked`: of an order, else at the earliest. */
export function deliveryLines({ window, parcels, expectedDate }: Arrival, isBooked = false): string[] {
  if (expectedDate) return [t('arrival.expected', { day: dateText(expectedDate) })];
  if (window) {
    const values = {
      day: slotDay(window.deliverySlot),
      time: slotPeriod(window.deliverySlot, window.endTime),
    };
    return [t(isBooked ? 'arrival.booked.window' : 'arrival.window', values)];
  }
  const [only, second] = parcels;
  if (only && !second) return [t('arrival.only', { days: daysText(only) })];
  return parcels.map((parcel) =>
    t('arrival.parcel', { storage: t(`arrival.storage.${parcel.storage}`), days: daysText(parcel) }),
  );
}

/** Writes when and where a pick-up is; nothing without one. */
export function pickupLine({ pickup }: Arrival, isBooked = false): string {
  if (!pickup) return '';
  return t(isBooked ? 'arrival.booked.pickup' : 'arrival.pickup', {
    day: slotDay(pickup.terminalDateTime),
    time: slotTime(pickup.terminalDateTime),
    shop: bothNames(pickup.shopName, pickup.shopNameEn).name,
  });
}

/** Writes in a few words when something can arrive at the earliest; nothing where that is not known. */
export function shortLine({ window, parcels: [parcel] }: Arrival): string {
  if (window) {
    const time = slotPeriod(window.deliverySlot, window.endTime);
    return t('arrival.short', {
      day: slotDay(window.deliverySlot, { weekday: 'short', day: 'numeric', month: 'short' }),
      time,
    });
  }
  return parcel ? daysText(parcel) : '';
}
