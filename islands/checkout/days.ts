import { slotDay } from './slots';

/** Groups slots by their day, days and slots in their given order. */
export function byDay<T extends { start: string }>(slots: readonly T[]): [day: string, slots: [T, ...T[]]][] {
  const days = new Map<string, [T, ...T[]]>();
  for (const slot of slots) {
    const day = slotDay(slot.start);
    const ofDay = days.get(day);
    if (ofDay) ofDay.push(slot);
    else days.set(day, [slot]);
  }
  return [...days];
}
