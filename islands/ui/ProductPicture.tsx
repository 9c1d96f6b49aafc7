import { bothNames } from '../lang';

interface Props {
  product: { goodsImgUrl: string | null; goodsName: string; goodsEnglishName: string };
  /** True where no text next to the picture names the product. */
  isNamed?: boolean;
}

/** Shows a product's picture on its tile, or the first character of its name. */
export function ProductPicture({ product, isNamed = false }: Props) {
  const { name } = bothNames(product.goodsName, product.goodsEnglishName);
  const url = product.goodsImgUrl;
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
