import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderPage, ProductBatch } from '../api/types';
import { t } from '../i18n';
import { bothNames, pageUrl, productUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { formatDay } from '../orders/dates';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { ProductPicture } from '../ui/ProductPicture';
import { Skeleton } from '../ui/Skeleton';
import { showError } from '../ui/toast';
import { type Bought, boughtIn } from './bought';

/** The orders that are looked through, the newest ones; as many as one call answers. */
const ORDERS = 100;
const MAX_PRODUCTS = 60;

type Known = ProductBatch['list'][number];

interface Offered extends Bought {
  /** As it is sold today; undefined where it is not on sale. */
  product?: Known;
}

async function load(): Promise<Offered[]> {
  const { list } = await call<OrderPage>('POST', '/pc/orderInfo', { size: ORDERS });
  const bought = boughtIn(list).slice(0, MAX_PRODUCTS);
  if (bought.length === 0) return [];
  const goodsIds = bought.map(({ line }) => line.goodsId);
  const { list: known } = await call<ProductBatch>('POST', '/pc/goods/batch', { goodsIds });
  return bought.map((each) => ({
    ...each,
    product: known.find(({ goodsId }) => goodsId === each.line.goodsId),
  }));
}

/** Shows one product that was bought before, at today's price. */
function Row({ line, times, last, product }: Offered) {
  const { name, other, otherLang } = bothNames(line.goodsName, line.goodsEnglishName);
  const isThere = product !== undefined && product.goodsStockAmount > 0;

  async function add() {
    if (!product) return;
    try {
      (await import('../stores/cart')).add(product, Math.max(1, product.minAmount));
    } catch (error) {
      showError(error);
    }
  }

  return (
    <li className="bought">
      <ProductPicture product={line} />
      <span>
        <a href={productUrl(line.goodsId)}>
          <b>{name}</b>
        </a>
        <br />
        <small className="muted">
          <span lang={otherLang}>{other}</span>
          <br />
          {t('orders.bought', { count: times, day: formatDay(last) })}
        </small>
      </span>
      <span className="bought__price num">{product && formatAud(toCents(product.memberPrice))}</span>
      {isThere ? (
        <Button size="sm" onClick={add} aria-label={t('orders.addOf', { name })}>
          {t('orders.add')}
        </Button>
      ) : (
        <span className="badge badge--mute">{t('orders.soldOut')}</span>
      )}
    </li>
  );
}

/** Lists what the customer has bought before, to be bought again. */
export function Reorder() {
  const [offered, setOffered] = useState<Offered[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const start = useCallback(() => {
    setFailure(null);
    load().then(setOffered, setFailure);
  }, []);
  useEffect(start, [start]);

  return (
    <div className="stack">
      <h1>{t('orders.buyAgain')}</h1>
      {failure !== null && <LoadFailure error={failure} onRetry={start} />}
      {!offered && failure === null && <Skeleton lines={4} height="5rem" />}
      {offered && offered.length > 0 && (
        <ul className="panel stack">
          {offered.map((each) => (
            <Row key={each.line.goodsId} {...each} />
          ))}
        </ul>
      )}
      {offered?.length === 0 && (
        <div className="empty">
          <span className="plate">
            <Icon name="shopping-cart" />
          </span>
          <h2>{t('orders.nothingBought')}</h2>
          <a className="btn" href={pageUrl('/shop')}>
            {t('cart.browse')}
          </a>
        </div>
      )}
    </div>
  );
}
