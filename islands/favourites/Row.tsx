import { useState } from 'react';
import { call } from '../api/client';
import type { FavouriteLists, FavouritePage } from '../api/types';
import { listName } from '../favourite/names';
import { t } from '../i18n';
import { bothNames, productUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { unmark } from '../stores/favourites';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { ProductPicture } from '../ui/ProductPicture';
import { show, showError } from '../ui/toast';
import { canBuy } from './add-all';

interface Props {
  product: FavouritePage['list'][number];
  /** The list that shows it. */
  list: number;
  lists: FavouriteLists['list'];
  onChanged: () => void;
}

/** Shows one product of a list: at today's price, or that it is sold out or no longer on sale. */
export function Row({ product, list, lists, onChanged }: Props) {
  const [moving, setMoving] = useState(false);
  const { goodsId } = product;
  const { name, other, otherLang } = bothNames(product.goodsName, product.goodsEnglishName);

  async function add() {
    try {
      (await import('../stores/cart')).add(product, Math.max(1, product.minAmount));
    } catch (error) {
      showError(error);
    }
  }

  async function remove() {
    try {
      await unmark(goodsId, list);
      show('ok', t('favourites.removedOf', { name }));
      onChanged();
    } catch (error) {
      showError(error);
    }
  }

  async function move(target: Props['lists'][number]) {
    setMoving(false);
    try {
      await call('PUT', `/pc/favourites/${list}/goods/${goodsId}`, { toListId: target.listId });
      show('ok', t('favourites.moved', { name, list: listName(target.name) }));
      onChanged();
    } catch (error) {
      showError(error);
    }
  }

  return (
    <li className="bought">
      <ProductPicture product={product} />
      <span>
        {product.isOnSale ? (
          <a href={productUrl(goodsId)}>
            <b>{name}</b>
          </a>
        ) : (
          <b>{name}</b>
        )}
        <br />
        <small className="muted">
          <span lang={otherLang}>{other}</span>
        </small>
        <span className="row row--wrap small">
          {lists.length > 1 && (
            <Button
              kind="quiet"
              size="sm"
              aria-label={t('favourites.moveOf', { name })}
              onClick={() => setMoving(true)}
            >
              {t('favourites.move')}
            </Button>
          )}
          <Button kind="quiet" size="sm" aria-label={t('favourites.removeOf', { name })} onClick={remove}>
            {t('favourites.remove')}
          </Button>
        </span>
      </span>
      <span className="bought__price num">{product.isOnSale && formatAud(toCents(product.memberPrice))}</span>
      {canBuy(product) ? (
        <Button size="sm" onClick={add} aria-label={t('favourites.addOf', { name })}>
          {t('favourites.add')}
        </Button>
      ) : (
        <span className="badge badge--mute">
          {t(product.isOnSale ? 'favourites.soldOut' : 'favourites.offSale')}
        </span>
      )}
      {moving && (
        <Dialog
          title={t('favourites.moveOf', { name })}
          onClose={() => setMoving(false)}
          actions={
            <Button kind="line" onClick={() => setMoving(false)}>
              {t('favourites.cancel')}
            </Button>
          }
        >
          {lists
            .filter(({ listId }) => listId !== list)
            .map((target) => (
              <Button key={target.listId} kind="soft" block onClick={() => void move(target)}>
                {listName(target.name)}
              </Button>
            ))}
        </Dialog>
      )}
    </li>
  );
}
