import { lang } from '../lang';
import { type Address, addressLine } from './address';
import type { Country } from './regions';

/** An address as it is read: name, place, phone. */
export function AddressText({ address, countries }: { address: Address; countries: Country[] }) {
  const country = countries.find((row) => row.en === address.country);
  return (
    <small>
      {addressLine(address, country, lang())}
      <br />
      {address.phone}
    </small>
  );
}
