import type { Rewards } from '../api/types';
import type { TextKey } from '../i18n';
import { t } from '../i18n';
import { bothNames } from '../lang';

/** Writes points with their thousands apart. */
export const pointsText = (points: number) => points.toLocaleString('en-AU');

/** Writes the points of a dollar, such as 1.25. */
export const rateText = (rate: number) => rate.toLocaleString('en-AU', { maximumFractionDigits: 2 });

/** Gives a level's name in the page's language. */
export const levelName = (level: Rewards['level']) => bothNames(level.levelName, level.levelNameEn).name;

/** The reasons of the wire (docs/wire.md#histories). */
const REASONS: Readonly<Record<string, TextKey>> = {
  订单金额赠送积分: 'points.reason.earned',
  撤销结算扣回积分: 'points.reason.chargeback',
  退货扣回积分: 'points.reason.returned',
  取消订单扣回积分: 'points.reason.canceled',
  管理员调整: 'points.reason.adjustment',
  积分抵扣订单: 'points.reason.spent',
  退回已用积分: 'points.reason.givenBack',
};

/** Translates the reason of an entry; an unknown one stays as it is. */
export function reasonText(reason: string): string {
  const key = REASONS[reason];
  return key ? t(key) : reason;
}
