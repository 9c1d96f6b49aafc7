import type { Claimable } from '../api/types';
import type { FormError } from '../form/ErrorSummary';
import { t } from '../i18n';
import type { KINDS } from './ClaimedGoods';

export type Line = Claimable['goods'][number];
export type Kind = (typeof KINDS)[number];

/** What a customer has entered for a line: units as typed, and what is wrong with them. */
export interface Entry {
  units: string;
  kind: Kind | '';
}

export const NOTHING: Entry = { units: '', kind: '' };

/** Names a line of an order: a product may have an ordinary line and one of a promotion. */
export const lineKey = ({ goodsId, actionTypeId }: Line): string => `${goodsId}-${actionTypeId ?? 0}`;
export const unitsId = (line: Line): string => `units-${lineKey(line)}`;
export const kindId = (line: Line): string => `kind-${lineKey(line)}`;

/** Shows whether the number is no question, as only one unit is left. */
export const isSingle = ({ left }: Line): boolean => left === 1;
/** The control that a line begins with. */
export const firstId = (line: Line): string => (isSingle(line) ? kindId(line) : unitsId(line));

function entryOf(line: Line, entries: Readonly<Record<string, Entry>>): Entry {
  const entry = entries[lineKey(line)] ?? NOTHING;
  return isSingle(line) ? { ...entry, units: entry.kind && '1' } : entry;
}

const isEmpty = (units: string) => units.trim() === '' || Number(units) === 0;

/** Finds what is missing or wrong in what was entered for the lines. */
export function problemsOf(lines: readonly Line[], entries: Readonly<Record<string, Entry>>): FormError[] {
  const errors: FormError[] = [];
  let claimed = 0;
  for (const line of lines) {
    const { units, kind } = entryOf(line, entries);
    if (isEmpty(units)) {
      if (kind) errors.push({ id: unitsId(line), text: t('claims.missingUnits', { count: line.left }) });
      continue;
    }
    claimed += 1;
    const number = Number(units);
    if (!Number.isSafeInteger(number) || number < 0 || number > line.left) {
      errors.push({ id: unitsId(line), text: t('claims.wrongUnits', { count: line.left }) });
    }
    if (!kind) errors.push({ id: kindId(line), text: t('claims.missingKind') });
  }
  const [first] = lines;
  if (first && !claimed && !errors.length) errors.push({ id: firstId(first), text: t('claims.nothing') });
  return errors;
}

/** Writes the lines as the call takes them. */
export function linesOf(lines: readonly Line[], entries: Readonly<Record<string, Entry>>) {
  return lines.flatMap((line) => {
    const { units, kind } = entryOf(line, entries);
    if (isEmpty(units)) return [];
    const { goodsId, actionTypeId } = line;
    return [{ goodsId, actionTypeId, goodsAmount: Number(units), kind }];
  });
}
