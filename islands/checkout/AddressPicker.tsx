import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { AddressForm } from '../addresses/AddressForm';
import { AddressText } from '../addresses/AddressText';
import { useCountries } from '../addresses/useCountries';
import { errorText, t } from '../i18n';
import { type Address, emptyAddress } from '../stores/address';
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
import { Notice } from '../ui/Notice';
import { Skeleton } from '../ui/Skeleton';

export const FIRST_ADDRESS_ID = 'first-address';

/** Loads the addresses and chooses the draft's, or else the first. */
async function begin(): Promise<void> {
  await loadAddresses();
  const wanted = checkout.draft.value.address?.addressId;
  if (addresses.value.some((address) => address.addressId === wanted)) checkAddress(wanted);
  checkout.chooseAddress(checkedAddress.value);
}

/** Lets the customer choose the delivery address, or write a new one. */
export function AddressPicker() {
  useSignals();
  const [editing, setEditing] = useState<Address | null>(null);
  const countries = useCountries();

  useEffect(() => {
    if (addressesState.value !== 'ready') void begin();
  }, []);

  if (addressesState.value === 'failed') {
    return (
      <Notice
        kind="danger"
        action={
          <Button kind="quiet" onClick={begin}>
            {t('ui.tryAgain')}
          </Button>
        }
      >
        {errorText(addressesError.value)}
      </Notice>
    );
  }
  if (addressesState.value !== 'ready') return <Skeleton lines={2} height="5.5rem" />;

  const isFirst = addresses.value.length === 0;
  const chosen = checkout.draft.value.address?.addressId;
  function choose(address: Address) {
    checkAddress(address.addressId);
    checkout.chooseAddress(address);
  }
  function saved(address: Address) {
    setEditing(null);
    checkout.chooseAddress(address);
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
                  onClick={() => setEditing(address)}
                >
                  {t('address.editShort')}
                </button>
              </span>
            </div>
          ))}
        </fieldset>
      )}
      {checkout.freightState.value === 'failed' && (
        <Notice
          kind="danger"
          action={
            <Button kind="quiet" size="sm" onClick={checkout.retryFreight}>
              {t('ui.tryAgain')}
            </Button>
          }
        >
          {t('checkout.freightFailed')} {errorText(checkout.freightError.value)}
        </Notice>
      )}
      {editing || isFirst ? (
        <AddressForm
          key={editing?.addressId}
          initial={editing ?? emptyAddress()}
          saveLabel={t('address.saveAndUse')}
          onSaved={saved}
          onCancel={isFirst ? undefined : () => setEditing(null)}
          takesFocus={!isFirst}
        />
      ) : (
        <div>
          <Button kind="soft" onClick={() => setEditing(emptyAddress())}>
            <Icon name="plus" />
            {t('checkout.anotherAddress')}
          </Button>
        </div>
      )}
    </>
  );
}
