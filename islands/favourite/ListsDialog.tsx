import { signal } from '@preact/signals-core';
import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import type { FavouriteLists } from '../api/types';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { mark, unmark } from '../stores/favourites';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { InputField } from '../ui/Field';
import { LoadFailure } from '../ui/LoadFailure';
import { mountOnce } from '../ui/mount';
import { Skeleton } from '../ui/Skeleton';
import { showError } from '../ui/toast';
import { listName, MAX_NAME, nameError } from './names';

type Row = FavouriteLists['list'][number];

interface Props {
  goodsId: number;
  onClose: () => void;
}

/** Shows the customer's lists: a tick is whether the product is in the list. */
function ListsDialog({ goodsId, onClose }: Props) {
  const [lists, setLists] = useState<readonly Row[] | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const field = useRef<HTMLFormElement>(null);

  const load = useCallback(() => {
    setFailure(null);
    call<FavouriteLists>('GET', `/pc/favourites?goodsId=${goodsId}`).then(
      ({ list }) => setLists(list),
      setFailure,
    );
  }, [goodsId]);
  useEffect(load, [load]);

  async function tick({ listId, hasGoods }: Row) {
    try {
      await (hasGoods ? unmark(goodsId, listId) : mark(goodsId, listId));
    } catch (error) {
      showError(error);
    }
    load();
  }

  async function add(event: FormEvent) {
    event.preventDefault();
    try {
      const { listId } = await call<{ listId: number }>('POST', '/pc/favourites', { name });
      setName('');
      await mark(goodsId, listId);
      load();
    } catch (refusal) {
      setError(nameError(refusal));
      field.current?.querySelector('input')?.focus();
    }
  }

  return (
    <Dialog
      title={t('favourites.inLists')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('favourites.done')}</Button>
          <a className="btn btn--line" href={pageUrl('/home/account/favourites')}>
            {t('favourites.seeAll')}
          </a>
        </>
      }
    >
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {!lists && failure === null && <Skeleton lines={2} height="2.75rem" />}
      {lists && (
        <>
          <ul className="ticks">
            {lists.map((row) => (
              <li key={row.listId}>
                <label className="check">
                  <input type="checkbox" checked={row.hasGoods} onChange={() => void tick(row)} />
                  <span>
                    {listName(row.name)} <span className="muted num">({row.count})</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
          <form className="row row--end" noValidate ref={field} onSubmit={add}>
            <InputField
              id="list-name"
              label={t('favourites.newList')}
              value={name}
              maxLength={MAX_NAME}
              error={error}
              onChange={(event) => {
                setName(event.target.value);
                setError('');
              }}
            />
            <Button type="submit" kind="line">
              {t('favourites.make')}
            </Button>
          </form>
        </>
      )}
    </Dialog>
  );
}

/** The product whose lists are shown; 0 while the dialog is closed. */
const shown = signal(0);

function Lists() {
  useSignals();
  return shown.value > 0 && <ListsDialog goodsId={shown.value} onClose={() => (shown.value = 0)} />;
}

const mount = mountOnce(Lists);

/** Opens the dialog with the customer's lists for a product. */
export async function openLists(goodsId: number): Promise<void> {
  await mount();
  shown.value = goodsId;
}
