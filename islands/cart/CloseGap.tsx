import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Preview, Product } from '../api/types';
import { t } from '../i18n';
import { bothNames, productUrl } from '../lang';
import { formatAud, toCents } from '../money';
import * as cart from '../stores/cart';
import { ProductPicture } from '../ui/ProductPicture';

/** Above this, in AUD, a single product is too expensive for the purpose. */
const MAX_GAP = 30;
const SHOWN = 3;
/** Some of them may be in the cart already. */
const ASKED = 12;

type Gap = Preview['freeFrom'][number];

/** Gives products of a kind of parcel that cost what is missing, or a little more; the best sellers first. */
async function productsFor({ storage, missing }: Gap, signal: AbortSignal): Promise<Product[]> {
  const { list } = await call<{ list: Product[] }>(
    'POST',
    '/pc/goods/list',
    {
      storage,
      stockType: '1',
      minPrice: missing,
      maxPrice: (Math.round(missing * 150) + 300) / 100,
      orderBy: 'sales',
      size: ASKED,
    },
    { signal },
  );
  return list.filter(({ minAmount }) => minAmount === 1);
}

/** Offers products that make the next kind of parcel free, if little is missing (docs/freight.md#free-from-an-amount). */
export function CloseGap({ freeFrom }: Pick<Preview, 'freeFrom'>) {
  useSignals();
  const gap = freeFrom.find(({ missing }) => missing > 0);
  const wanted = gap && gap.missing <= MAX_GAP ? JSON.stringify(gap) : '';
  const [found, setFound] = useState<{ of: string; products: Product[] }>({ of: '', products: [] });

  useEffect(() => {
    const controller = new AbortController();
    if (wanted) {
      productsFor(JSON.parse(wanted), controller.signal).then(
        (products) => setFound({ of: wanted, products }),
        // The cart works without them.
        () => {},
      );
    }
    return () => controller.abort();
  }, [wanted]);

  const inCart = new Set(cart.lines.value.map(({ goodsId }) => goodsId));
  const products = found.products.filter(({ goodsId }) => !inCart.has(goodsId)).slice(0, SHOWN);
  if (!wanted || found.of !== wanted || products.length === 0) return null;
  return (
    <div className="close-gap">
      <p>{t('freight.closeGap')}</p>
      <ul className="f">
        {products.map((product) => {
          const { name } = bothNames(product.goodsName, product.goodsEnglishName);
          return (
            <li key={product.goodsId}>
              <ProductPicture product={product} />
              <a href={productUrl(product.goodsId)}>{name}</a>
              <span className="num">{formatAud(toCents(product.memberPrice))}</span>
              <button
                type="button"
                className="btn btn--sm btn--soft"
                aria-label={t('freight.addOf', { name })}
                onClick={() => cart.add(product, 1)}
              >
                {t('freight.add')}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
