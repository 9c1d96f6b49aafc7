import { useState } from 'react';
import { call } from '../api/client';
import type { FavouriteLists } from '../api/types';
import { listName } from '../favourite/names';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { showError } from '../ui/toast';
import { listingQuery } from './listing';
import { NameDialog } from './NameDialog';
import { ShareDialog } from './ShareDialog';

interface Props {
  list: FavouriteLists['list'][number];
  onChanged: () => void;
}

type Open = 'make' | 'rename' | 'share' | 'remove' | null;

/** The buttons that make a list, and rename, share and delete the one that is shown. */
export function ListTools({ list, onChanged }: Props) {
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const isOwn = list.name !== '';

  async function remove() {
    close();
    try {
      await call('DELETE', `/pc/favourites/${list.listId}`);
      location.assign(pageUrl('/home/account/favourites'));
    } catch (error) {
      showError(error);
    }
  }

  return (
    <>
      <span className="row row--wrap">
        <Button kind="line" size="sm" onClick={() => setOpen('share')}>
          <Icon name="share-2" />
          {t(list.sharePath ? 'favourites.shared' : 'favourites.share')}
        </Button>
        {isOwn && (
          <>
            <Button kind="quiet" size="sm" onClick={() => setOpen('rename')}>
              {t('favourites.rename')}
            </Button>
            <Button kind="quiet" size="sm" onClick={() => setOpen('remove')}>
              {t('favourites.removeList')}
            </Button>
          </>
        )}
        <Button kind="quiet" size="sm" onClick={() => setOpen('make')}>
          <Icon name="plus" />
          {t('favourites.newList')}
        </Button>
      </span>
      {open === 'share' && <ShareDialog list={list} onClose={close} onChanged={onChanged} />}
      {open === 'make' && (
        <NameDialog
          title={t('favourites.newList')}
          name=""
          save={(name) => call<{ listId: number }>('POST', '/pc/favourites', { name })}
          onSaved={({ listId }) => location.assign(listingQuery({ list: listId, page: 1 }))}
          onClose={close}
        />
      )}
      {open === 'rename' && (
        <NameDialog
          title={t('favourites.rename')}
          name={list.name}
          save={(name) => call('PUT', `/pc/favourites/${list.listId}`, { name })}
          onSaved={() => {
            close();
            onChanged();
          }}
          onClose={close}
        />
      )}
      {open === 'remove' && (
        <Dialog
          title={t('favourites.removeListOf', { name: listName(list.name) })}
          onClose={close}
          actions={
            <>
              <Button onClick={() => void remove()}>{t('favourites.removeList')}</Button>
              <Button kind="line" onClick={close}>
                {t('favourites.cancel')}
              </Button>
            </>
          }
        >
          <p>{t('favourites.removeListText', { count: list.count })}</p>
        </Dialog>
      )}
    </>
  );
}
