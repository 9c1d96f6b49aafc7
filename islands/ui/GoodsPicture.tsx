import { bothNames } from '../lang';

interface Props {
  goods: { goodsImgUrl: string | null; goodsName: string; goodsEnglishName: string };
  /** Whether the picture alone tells which goods it is. */
  isNamed?: boolean;
}

/** The picture of goods on its tile, or the first character of the name where there is none. */
export function GoodsPicture({ goods, isNamed = false }: Props) {
  const { name } = bothNames(goods.goodsName, goods.goodsEnglishName);
  const url = goods.goodsImgUrl;
  return (
    <span className="tile tile--sm">
      {url ? (
        <img src={url} alt={isNamed ? name : ''} width="256" height="256" loading="lazy" decoding="async" />
      ) : (
        <>
          <span className="tile__mark" aria-hidden="true">
            {Array.from(name)[0]?.toUpperCase()}
          </span>
          {isNamed && <span className="vh">{name}</span>}
        </>
      )}
    </span>
  );
}
