import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useRef, useState } from 'react';
import { AddressText } from '../addresses/AddressText';
import { useCountries } from '../addresses/useCountries';
import { loadTextsOf, t } from '../i18n';
import { type Address, emptyAddress, liesIn } from '../stores/address';
import {
  addresses,
  addressesError,
  addressesState,
  checkAddress,
  checkedAddress,
  loadAddresses,
} from '../stores/addresses';
import * as checkout from '../stores/checkout';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { later } from '../ui/later';
import { Skeleton } from '../ui/Skeleton';

const AddressForm = later(async () => {
  await Promise.all([loadTextsOf('address'), loadTextsOf('place')]);
  return (await import('../addresses/AddressForm')).AddressForm;
}, '30rem');

const AddressNotes = later(async () => {
  await loadTextsOf('wishes');
  return (await import('./AddressNotes')).AddressNotes;
}, '0');

export const FIRST_ADDRESS_ID = 'first-address';
const ANOTHER_ID = 'another-address';

/** Lets the customer choose the delivery address, or write a new one. */
export function AddressPicker() {
  useSignals();
  const [editing, setEditing] = useState<Address | null>(null);
  /** True where the customer has opened the form, which then takes the focus. */
  const [asked, setAsked] = useState(false);
  /** What the customer estimated as a guest, while the default address is selected instead. */
  const [estimated, setEstimated] = useState<Address | null>(null);
  const countries = useCountries();
  const opener = useRef<HTMLElement | null>(null);
  /** What has the focus once the form is closed. */
  const next = useRef<(() => HTMLElement | null) | null>(null);

  /** Loads the addresses and chooses the draft's, one in the place that was given as a guest, or else the default. */
  async function begin() {
    await loadAddresses();
    const { address, unfinished } = checkout.draft.value;
    const isPlace = address !== null && address.addressId === null;
    const wanted = addresses.value.find((each) =>
      isPlace ? liesIn(each, address) : each.addressId === address?.addressId,
    );
    if (unfinished) {
      setEditing(addresses.value.find((each) => each.addressId === unfinished.addressId) ?? emptyAddress());
    }
    if (wanted) checkAddress(wanted.addressId);
    else if (isPlace && !unfinished) {
      if (!checkedAddress.value) return edit(address, false);
      setEstimated(address);
    }
    checkout.chooseAddress(checkedAddress.value);
  }

  function edit(address: Address, byCustomer: boolean) {
    opener.current = document.activeElement as HTMLElement;
    setAsked(byCustomer);
    setEditing(address);
    if (!byCustomer) checkout.choosePlace(address);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the step is opened
  useEffect(() => {
    if (addressesState.value !== 'ready') void begin();
  }, []);

  useEffect(() => {
    if (!editing) next.current?.()?.focus();
    next.current = null;
  }, [editing]);

  if (addressesState.value === 'failed') {
    return <LoadFailure error={addressesError.value} onRetry={begin} />;
  }
  if (addressesState.value !== 'ready') return <Skeleton lines={2} height="5.5rem" />;

  const isFirst = addresses.value.length === 0;
  const chosen = checkout.draft.value.address?.addressId;
  function choose(address: Address) {
    checkAddress(address.addressId);
    checkout.chooseAddress(address);
  }
  function saved(address: Address) {
    next.current = () => document.querySelector('.addr input:checked');
    close();
    checkout.chooseAddress(address);
  }
  function close() {
    checkout.keepUnfinished(null);
    setEditing(null);
  }
  function cancel() {
    const { current } = opener;
    next.current = () => (current?.isConnected ? current : document.getElementById(ANOTHER_ID));
    close();
    if (!chosen) checkout.chooseAddress(checkedAddress.value);
  }

  return (
    <>
      {!isFirst && (
        <fieldset className="addr">
          <legend>{t('checkout.deliverTo')}</legend>
          {addresses.value.map((address, index) => (
            <div className="option" key={address.addressId}>
              <label className="check">
                <input
                  id={index === 0 ? FIRST_ADDRESS_ID : undefined}
                  type="radio"
                  name="address"
                  checked={address.addressId === chosen}
                  onChange={() => choose(address)}
                />
                <span className="vh">{t('checkout.useAddressOf', { name: address.addressee })}</span>
              </label>
              <span>
                <b>
                  {address.addressee}{' '}
                  {address.isDefault && <span className="badge badge--info">{t('address.default')}</span>}
                </b>
                <AddressText address={address} countries={countries} />
              </span>
              <span className="acts">
                <button
                  type="button"
                  aria-label={t('address.editOf', { name: address.addressee })}
                  onClick={() => edit(address, true)}
                >
                  {t('address.editShort')}
                </button>
              </span>
            </div>
          ))}
        </fieldset>
      )}
      <AddressNotes estimated={editing ? null : estimated} onEdit={edit} />
      {editing || isFirst ? (
        <AddressForm
          key={editing?.addressId}
          initial={editing ?? emptyAddress()}
          typed={checkout.draft.value.unfinished}
          saveLabel={t('address.saveAndUse')}
          onSaved={saved}
          onCancel={isFirst ? undefined : cancel}
          onTyped={checkout.keepUnfinished}
          takesFocus={asked}
        />
      ) : (
        <div>
          <Button id={ANOTHER_ID} kind="soft" onClick={() => edit(emptyAddress(), true)}>
            <Icon name="plus" />
            {t('checkout.anotherAddress')}
          </Button>
        </div>
      )}
    </>
  );
}
