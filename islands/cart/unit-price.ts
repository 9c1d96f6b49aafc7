import { t } from '../i18n';
import { lang } from '../lang';
import { formatAud } from '../money';
import type { Line } from '../stores/snapshot';
import { formatWeight } from './weight';

/** Writes the pack in the page's language; lines stored by an older release have only the weight. */
export function packOf(line: Pick<Line, 'netWeight'> & Partial<Pick<Line, 'pack' | 'packZh'>>): string {
  return (lang() === 'zh' ? line.packZh : line.pack) || formatWeight(line.netWeight);
}

/** Writes the unit price as cards do, at a price in cents; empty where the law asks for none. */
export function unitPriceOf(
  line: Pick<Line, 'memberPrice'> & Partial<Pick<Line, 'unitPrice' | 'unitPriceMeasure'>>,
  price: number,
): string {
  if (line.unitPrice == null || !line.unitPriceMeasure) return '';
  // It belongs to `memberPrice`; the amount may reach another price tier.
  const cents = Math.round((line.unitPrice / line.memberPrice) * price);
  return t(`unitPrice.${line.unitPriceMeasure}`, { price: formatAud(cents) });
}
