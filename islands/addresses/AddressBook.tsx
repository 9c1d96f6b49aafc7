import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useRef, useState } from 'react';
import { t } from '../i18n';
import { type Address, emptyAddress } from '../stores/address';
import { makeDefault, removeAddress } from '../stores/address-book';
import { addresses, addressesError, addressesState, loadAddresses } from '../stores/addresses';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Icon } from '../ui/Icon';
import { PageLoading } from '../ui/PageLoading';
import { show, showError } from '../ui/toast';
import { AddressForm } from './AddressForm';
import { AddressText } from './AddressText';
import { useCountries } from './useCountries';

/** Shows the address book: add, edit, delete, make default. */
export function AddressBook() {
  useSignals();
  const [editing, setEditing] = useState<Address | null>(null);
  const [deleting, setDeleting] = useState<Address | null>(null);
  const [busy, setBusy] = useState(false);
  const countries = useCountries();
  const heading = useRef<HTMLHeadingElement>(null);
  const isDone = useRef(false);

  useEffect(() => {
    void loadAddresses();
  }, []);

  // Once a dialog has given the focus back to a button that has gone with its address.
  useEffect(() => {
    if (busy || deleting || !isDone.current) return;
    isDone.current = false;
    heading.current?.focus();
  }, [busy, deleting]);

  /** Closes the form, whose focus would be lost; the saved address is the first below the heading. */
  function close() {
    setEditing(null);
    heading.current?.focus();
  }

  /** Does it; what was pressed for it is then gone, so the heading takes the focus. */
  async function attempt(action: () => Promise<void>, done: string) {
    if (busy) return;
    setBusy(true);
    try {
      await action();
      show('ok', done);
      isDone.current = true;
    } catch (error) {
      showError(error);
    }
    setBusy(false);
  }

  async function confirmDelete({ addressId }: Address) {
    if (addressId !== null) await attempt(() => removeAddress(addressId), t('address.deleted'));
    setDeleting(null);
  }

  const title = t('address.title');
  if (addressesState.value !== 'ready') {
    const error = addressesState.value === 'failed' ? addressesError.value : null;
    return <PageLoading title={title} error={error} onRetry={loadAddresses} lines={3} />;
  }

  const add = (
    <Button kind="soft" onClick={() => setEditing(emptyAddress())}>
      <Icon name="plus" />
      {t('address.add')}
    </Button>
  );
  return (
    <div className="stack">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {addresses.value.length === 0 && !editing && (
        <div className="empty">
          <span className="plate">
            <Icon name="map-pin" />
          </span>
          <h2>{t('address.none')}</h2>
          {add}
        </div>
      )}
      <ul className="addr">
        {addresses.value.map((address) => (
          <li className="option" key={address.addressId}>
            <Icon name="map-pin" />
            <span>
              <b>
                {address.addressee}{' '}
                {address.isDefault && <span className="badge badge--info">{t('address.default')}</span>}
              </b>
              <AddressText address={address} countries={countries} />
            </span>
            <span className="acts">
              {!address.isDefault && (
                <button
                  type="button"
                  aria-label={t('address.makeDefaultOf', { name: address.addressee })}
                  onClick={() =>
                    attempt(() => makeDefault(address.addressId ?? 0), t('address.isDefaultNow'))
                  }
                >
                  {t('address.makeDefault')}
                </button>
              )}
              <button
                type="button"
                aria-label={t('address.editOf', { name: address.addressee })}
                onClick={() => setEditing(address)}
              >
                {t('address.editShort')}
              </button>
              <button
                type="button"
                aria-label={t('address.deleteOf', { name: address.addressee })}
                onClick={() => setDeleting(address)}
              >
                {t('address.delete')}
              </button>
            </span>
          </li>
        ))}
      </ul>
      {editing ? (
        <AddressForm
          key={editing.addressId}
          initial={editing}
          saveLabel={t('address.save')}
          onSaved={() => {
            close();
            show('ok', t('address.saved'));
          }}
          onCancel={close}
          takesFocus
        />
      ) : (
        addresses.value.length > 0 && <div>{add}</div>
      )}
      {deleting && (
        <Dialog
          title={t('address.deleteTitle')}
          onClose={() => setDeleting(null)}
          actions={
            <>
              <Button busy={busy} onClick={() => confirmDelete(deleting)}>
                {t('address.delete')}
              </Button>
              <Button kind="line" onClick={() => setDeleting(null)}>
                {t('address.keep')}
              </Button>
            </>
          }
        >
          <p>
            <b>{deleting.addressee}</b>
            <br />
            <AddressText address={deleting} countries={countries} />
          </p>
        </Dialog>
      )}
    </div>
  );
}
