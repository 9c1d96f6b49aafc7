import type { Claim } from '../api/types';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { ProductPicture } from '../ui/ProductPicture';

/** What is wrong with units of a line. */
export const KINDS = ['damaged', 'missing', 'wrong'] as const;

/** Lists what is claimed. */
export function ClaimedGoods({ goods }: Pick<Claim, 'goods'>) {
  return (
    <ul className="mini">
      {goods.map((line) => (
        <li key={`${line.goodsId} ${line.actionTypeId}`}>
          <ProductPicture product={line} />
          <span>
            {bothNames(line.goodsName, line.goodsEnglishName).name}
            <small>{t(`claims.kind.${line.kind as (typeof KINDS)[number]}`)}</small>
          </span>
          <b>× {line.goodsAmount}</b>
        </li>
      ))}
    </ul>
  );
}
