import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import type { ShopError } from '../api/errors';
import type { FavouriteLists, FavouritePage } from '../api/types';
import { listName } from '../favourite/names';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { Pager } from '../orders/Pager';
import { loadFavourites } from '../stores/favourites';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { show, showError } from '../ui/toast';
import { addAll } from './add-all';
import { ListTools } from './ListTools';
import { listingQuery, readListing } from './listing';
import { Row } from './Row';

const SIZE = 24;

interface Shown {
  lists: FavouriteLists['list'];
  goods: FavouritePage;
}

async function read(list: number, page: number): Promise<Shown> {
  const [lists, goods] = await Promise.all([
    call<FavouriteLists>('GET', '/pc/favourites'),
    call<FavouritePage>('GET', `/pc/favourites/${list}/goods?page=${page}&size=${SIZE}`),
    loadFavourites(),
  ]);
  return { lists: lists.list, goods };
}

/** Shows one of the customer's lists of favourites, the newest product first. */
export function Favourites() {
  const { list, page } = readListing(location.search);
  const [shown, setShown] = useState<Shown | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [adding, setAdding] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  const load = useCallback(() => {
    setFailure(null);
    return read(list, page).then(setShown, (error) => {
      // A list that was deleted, perhaps on another device.
      if (list && (error as Partial<ShopError>).reason === 'parameter_error')
        location.replace(pageUrl('/home/account/favourites'));
      else setFailure(error);
    });
  }, [list, page]);
  useEffect(() => {
    void load();
  }, [load]);

  async function changed() {
    await load();
    // The row that had the focus is gone.
    heading.current?.focus();
  }

  async function add() {
    setAdding(true);
    try {
      const { added, left } = await addAll(list);
      const text = added ? t('favourites.addedAll', { count: added }) : t('favourites.nothingToAdd');
      show(
        left || !added ? 'warn' : 'ok',
        left ? `${text} ${t('favourites.noPlace', { count: left })}` : text,
      );
    } catch (error) {
      showError(error);
    }
    setAdding(false);
  }

  const current = shown?.lists.find((each) => each.listId === list);
  const last = Math.max(1, Math.ceil((shown?.goods.total ?? 0) / SIZE));
  return (
    <div className="stack">
      <h1 ref={heading} tabIndex={-1}>
        {current ? listName(current.name) : t('favourites.title')}
      </h1>
      {failure !== null && <LoadFailure error={failure} onRetry={() => void load()} />}
      {!shown && failure === null && <Skeleton lines={4} height="5rem" />}
      {shown && current && (
        <>
          {shown.lists.length > 1 && (
            <nav className="chips" aria-label={t('favourites.lists')}>
              {shown.lists.map(({ listId, name, count }) => (
                <a
                  key={listId}
                  className={listId === list ? 'chip active' : 'chip'}
                  aria-current={listId === list ? 'page' : undefined}
                  href={listingQuery({ list: listId, page: 1 })}
                >
                  <span className="chip__text">{listName(name)}</span>
                  <span className="muted num">{count}</span>
                </a>
              ))}
            </nav>
          )}
          <div className="row row--wrap">
            <ListTools list={current} onChanged={() => void changed()} />
          </div>
          {shown.goods.total > 0 && (
            <p>
              <Button busy={adding} onClick={() => void add()}>
                <Icon name="shopping-cart" />
                {t('favourites.addAll')}
              </Button>
            </p>
          )}
          {shown.goods.list.length > 0 ? (
            <ul className="panel stack">
              {shown.goods.list.map((product) => (
                <Row
                  key={product.goodsId}
                  product={product}
                  list={list}
                  lists={shown.lists}
                  onChanged={() => void changed()}
                />
              ))}
            </ul>
          ) : (
            <div className="empty">
              <span className="plate">
                <Icon name="heart" />
              </span>
              <h2>{t(shown.goods.total ? 'favourites.pastEnd' : 'favourites.empty')}</h2>
              <p>{t('favourites.emptyText')}</p>
              <a className="btn" href={pageUrl('/shop')}>
                {t('cart.browse')}
              </a>
            </div>
          )}
          <Pager page={page} last={last} urlOf={(number) => listingQuery({ list, page: number })} />
        </>
      )}
    </div>
  );
}
