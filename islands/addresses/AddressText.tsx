import { lang } from '../lang';
import { type Address, addressLine } from '../stores/address';
import type { Country } from './regions';

/** Shows an address on two lines. */
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
