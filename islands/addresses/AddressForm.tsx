import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ErrorSummary, errorOf } from '../form/ErrorSummary';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { askBeforeLeaving } from '../leaving';
import { type Address, placeOf, toServer } from '../stores/address';
import { saveAddress } from '../stores/addresses';
import { isPoBox } from '../stores/po-box';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { AreaFields } from './AreaFields';
import { CountryField } from './CountryField';
import { type AddressField, type AddressProblem, addressErrors } from './validate';

/** The server's fields: the control of each, and the error text for it. */
const SERVER_FIELDS: Readonly<Record<string, { control: string; problem: AddressProblem }>> = {
  contacts: { control: 'addressee', problem: 'addressee' },
  contactPhone: { control: 'phone', problem: 'phoneImpossible' },
  addressDetail: { control: 'addressDetails', problem: 'addressDetails' },
  countryName: { control: 'country', problem: 'country' },
  provinceName: { control: 'province', problem: 'provinceElsewhere' },
  cityName: { control: 'town', problem: 'townElsewhere' },
  areaName: { control: 'area', problem: 'areaElsewhere' },
  zipCode: { control: 'postcode', problem: 'postcodeElsewhere' },
};

/** What does not go together with the rest of an address, and whether the customer can confirm it. */
interface Doubt {
  problem: [AddressField, AddressProblem];
  canConfirm: boolean;
}

/** Finds the first part of an address that the region data contradicts or does not have; null if there is none. */
async function doubtOf(address: Address): Promise<Doubt | null> {
  const { isUnknownSuburb, wrongPart } = await import('./wrong-part');
  const part = await wrongPart(address);
  if (part) return { problem: [part, `${part}Elsewhere`], canConfirm: !(await wrongPart(address, true)) };
  return (await isUnknownSuburb(address)) ? { problem: ['area', 'suburbUnknown'], canConfirm: true } : null;
}

interface Props {
  initial: Address;
  saveLabel: string;
  onSaved: (address: Address) => void;
  /** Without it the form has no cancel button. */
  onCancel?: () => void;
  /** What was typed before the page was loaded again. */
  typed?: Address | null;
  /** Called with what is typed, and null while it is what the form began with. */
  onTyped?: (address: Address | null) => void;
  /** True where the form replaces the pressed button: its heading takes the focus. */
  takesFocus?: boolean;
}

/** The form for an address, with its country's fields; saves it. */
export function AddressForm({
  initial,
  saveLabel,
  onSaved,
  onCancel,
  typed,
  onTyped,
  takesFocus = false,
}: Props) {
  const [address, setAddress] = useState(typed ?? initial);
  const { errors, setErrors, drop, onChange } = useErrors();
  const [busy, setBusy] = useState(false);
  /** The place that the customer was asked to confirm, and the one that they have confirmed. */
  const [doubtful, setDoubtful] = useState('');
  const [confirmed, setConfirmed] = useState('');
  const formId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const idOf = (field: string) => `${formId}${field}`;
  const change = (part: Partial<Address>) => setAddress((before) => ({ ...before, ...part }));

  const place = JSON.stringify(placeOf(address));
  const isMoved = place !== JSON.stringify(placeOf(initial));
  const isTyped = JSON.stringify(toServer(address)) !== JSON.stringify(toServer(initial));
  useEffect(() => {
    if (isTyped) return askBeforeLeaving(() => !heading.current?.closest('[hidden]'));
  }, [isTyped]);

  useEffect(() => onTyped?.(isTyped ? address : null), [isTyped, address, onTyped]);

  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const refuse = (problems: [AddressField, AddressProblem][]) =>
      setErrors(
        problems.map(([field, problem]) => ({ id: idOf(field), text: t(`address.error.${problem}`) })),
      );
    const wrong = addressErrors(address);
    refuse(wrong);
    if (wrong.length) return;
    setBusy(true);
    const isConfirmed = confirmed === place;
    // Without the data only the server knows. What stays as it is need not go together there either.
    const doubt = isMoved && !isConfirmed && (await doubtOf(address).catch(() => null));
    if (doubt) {
      refuse([doubt.problem]);
      setDoubtful(doubt.canConfirm ? place : '');
      setBusy(false);
      return;
    }
    try {
      onSaved(await saveAddress(address, isConfirmed));
    } catch (error) {
      const fields = Object.entries(SERVER_FIELDS);
      const controls = fields.map(([field, { control }]) => [field, idOf(control)]);
      const texts = fields.map(([field, { problem }]) => [field, t(`address.error.${problem}`)]);
      setErrors(serverErrors(error, Object.fromEntries(controls), Object.fromEntries(texts)));
      setBusy(false);
    }
  }

  const text = (field: 'addressee' | 'phone' | 'addressDetails') => ({
    id: idOf(field),
    error: errorOf(errors, idOf(field)),
    value: address[field],
    onChange: (event: { target: { value: string } }) => change({ [field]: event.target.value }),
  });

  return (
    <form className="panel stack" onSubmit={submit} onChange={onChange} noValidate>
      <h2 ref={heading} tabIndex={-1}>
        {t(initial.addressId === null ? 'address.new' : 'address.edit')}
      </h2>
      <ErrorSummary errors={errors} />
      <div className="fields">
        <CountryField
          id={idOf('country')}
          error={errorOf(errors, idOf('country'))}
          value={address.country}
          onChange={(country) => {
            // They may be of fields that the other country does not have.
            setErrors([]);
            change({ country, cityName: [], city: '' });
          }}
        />
        <InputField
          {...text('addressee')}
          label={t('address.addressee')}
          autoComplete="name"
          maxLength={60}
        />
        <InputField
          {...text('phone')}
          label={t('address.phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={30}
        />
        <InputField
          {...text('addressDetails')}
          label={t('address.addressDetails')}
          autoComplete="street-address"
          maxLength={200}
          hint={isPoBox(address.addressDetails) ? t('address.poBox') : undefined}
          full
        />
        <AreaFields
          address={address}
          errors={errors}
          idOf={idOf}
          onChange={(part) => {
            // A chosen area fills in other fields as well.
            if (part.cityName && 'city' in part) drop(...['province', 'town', 'area', 'postcode'].map(idOf));
            change(part);
          }}
        />
      </div>
      {doubtful === place && (
        <label className="check">
          <input
            type="checkbox"
            checked={confirmed === place}
            onChange={(event) => setConfirmed(event.target.checked ? place : '')}
          />
          {t('address.isRight')}
        </label>
      )}
      <div className="row row--wrap">
        <Button type="submit" kind="soft" busy={busy}>
          {saveLabel}
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            {t('address.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
