import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { call } from '../api/client';
import type { FavouriteLists, SharedList } from '../api/types';
import { MAX_NAME } from '../favourite/names';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { InputField } from '../ui/Field';
import { show, showError } from '../ui/toast';

interface Props {
  list: FavouriteLists['list'][number];
  onClose: () => void;
  onChanged: () => void;
}

/** Makes the link that shows a list to everyone, shows it to be copied, makes it again and ends it. */
export function ShareDialog({ list, onClose, onChanged }: Props) {
  const [title, setTitle] = useState(list.shareTitle);
  const [path, setPath] = useState(list.sharePath);
  const [busy, setBusy] = useState(false);
  const link = path && location.origin + pageUrl(path);
  const id = useId();
  const isChanged = useRef(false);

  // What was pressed is gone, or does another thing now: a second press would end the link just made.
  useEffect(() => {
    if (isChanged.current) document.getElementById(path ? `${id}link` : `${id}title`)?.focus();
  }, [id, path]);

  async function act(work: () => Promise<void>) {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  }

  const make = () =>
    act(async () => {
      const made = await call<SharedList>('POST', `/pc/favourites/${list.listId}/share`, { title });
      isChanged.current = true;
      setPath(made.sharePath);
      show('ok', t('favourites.linkMade'));
    });

  function submit(event: FormEvent) {
    event.preventDefault();
    // Enter ends no link that others have already.
    if (!link && !busy) void make();
  }

  const end = () =>
    act(async () => {
      await call('DELETE', `/pc/favourites/${list.listId}/share`);
      isChanged.current = true;
      setPath(null);
      setTitle('');
      show('ok', t('favourites.linkEnded'));
    });

  async function copy() {
    try {
      await navigator.clipboard.writeText(link ?? '');
      show('ok', t('favourites.copied'));
    } catch {
      // A page without https, or a browser that does not allow it.
      show('error', t('favourites.notCopied'));
    }
  }

  function close() {
    onClose();
    if (path !== list.sharePath) onChanged();
  }

  return (
    <Dialog
      title={t('favourites.share')}
      onClose={close}
      actions={
        <>
          {link && <Button onClick={copy}>{t('favourites.copy')}</Button>}
          {link ? (
            <Button kind="soft" busy={busy} onClick={make}>
              {t('favourites.makeAnew')}
            </Button>
          ) : (
            <Button type="submit" form={`${id}form`} busy={busy}>
              {t('favourites.makeLink')}
            </Button>
          )}
          {link && (
            <Button kind="quiet" busy={busy} onClick={end}>
              {t('favourites.endLink')}
            </Button>
          )}
          <Button kind="line" onClick={close}>
            {t('favourites.done')}
          </Button>
        </>
      }
    >
      <p>{t(link ? 'favourites.sharedText' : 'favourites.shareText')}</p>
      {link && (
        <InputField
          id={`${id}link`}
          label={t('favourites.link')}
          value={link}
          readOnly
          onFocus={(event) => event.target.select()}
        />
      )}
      <form id={`${id}form`} noValidate onSubmit={submit}>
        <InputField
          id={`${id}title`}
          label={t('favourites.shareTitle')}
          hint={t(link ? 'favourites.shareTitleAnew' : 'favourites.shareTitleHint')}
          value={title}
          maxLength={MAX_NAME}
          autoComplete="off"
          onChange={(event) => setTitle(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
