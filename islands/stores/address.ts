import type { ServerAddress } from '../api/types';
import { DEFAULT_COUNTRY, type Place } from './known-place';

/** An address as the islands have it (docs/product.md#things-and-their-fields). */
export interface Address extends Place {
  addressId: number | null;
  addressee: string;
  phone: string;
  addressDetails: string;
  check: boolean;
  isDefault: boolean;
}

/** An address of the server: of the address book, or as an order has copied it. */
type StoredAddress = Omit<ServerAddress, 'isDefault'> & Partial<Pick<ServerAddress, 'isDefault'>>;

/** An address as a request has it; a new one has no id. */
type SentAddress = Omit<ServerAddress, 'addressId'> & Partial<Pick<ServerAddress, 'addressId'>>;

const ADD_TYPES: Readonly<Record<string, number>> = { China: 0, Australia: 1 };
const ADD_TYPE_ELSEWHERE = 2;

const COUNTRIES_THAT_NEED_AN_AREA: ReadonlySet<string> = new Set([
  'Australia',
  'China',
  'Malaysia',
  'Taiwan',
]);

/** Shows whether an address must have a post code or a city (docs/product.md#checkout). */
export const needsArea = ({ country }: Pick<Place, 'country'>): boolean =>
  COUNTRIES_THAT_NEED_AN_AREA.has(country);

/** Makes an empty address in the default country. */
export function emptyAddress(): Address {
  return {
    addressId: null,
    addressee: '',
    phone: '',
    country: DEFAULT_COUNTRY,
    city: '',
    cityName: [],
    addressDetails: '',
    check: false,
    isDefault: false,
  };
}

/** Turns an address of the server into one of the islands. */
export function fromServer(row: StoredAddress): Address {
  return {
    addressId: row.addressId,
    addressee: row.contacts,
    phone: row.contactPhone,
    country: row.countryName,
    city: row.zipCode,
    cityName: [row.provinceName, row.cityName, row.areaName],
    addressDetails: row.addressDetail,
    check: false,
    isDefault: row.isDefault ?? false,
  };
}

/** Turns an address of the islands into one for a request; a new one has no `addressId`. */
export function toServer(address: Address): SentAddress {
  const [provinceName = '', cityName = '', areaName = ''] = address.cityName.map((part) => part.trim());
  const row = {
    addType: ADD_TYPES[address.country] ?? ADD_TYPE_ELSEWHERE,
    contacts: address.addressee.trim(),
    contactPhone: address.phone.trim(),
    countryName: address.country,
    provinceName,
    cityName,
    areaName,
    addressDetail: address.addressDetails.trim(),
    zipCode: address.city.trim(),
    isDefault: address.isDefault,
  };
  return address.addressId === null ? row : { addressId: address.addressId, ...row };
}

/** Gives the shipping type of a delivery: 2 within Australia, 1 elsewhere (docs/product.md#order-statuses). */
export function shippingTypeFor({ country }: Pick<Place, 'country'>): 1 | 2 {
  return country === 'Australia' ? 2 : 1;
}

/** Joins country, area parts and post code by "-", without empty parts (docs/wire.md#commonfreight). */
export function freightAddress(place: Place): string {
  return [place.country, ...place.cityName, place.city]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('-');
}

/** Gives the place of an address. */
export function placeOf({ country, cityName, city }: Place): Place {
  return { country, cityName, city };
}

/** Makes an address of a place, with neither a name nor a street. */
export function addressAt(place: Place): Address {
  return { ...emptyAddress(), ...placeOf(place) };
}

/** Shows whether an address lies in a place, of which post code, province or suburb may be unknown. */
export function liesIn(address: Place, place: Place): boolean {
  const agrees = (part = '', wanted = '') =>
    wanted.trim() === '' || part.trim().toLowerCase() === wanted.trim().toLowerCase();
  // The second part is left out: a typed Australian address has no council.
  return (
    address.country === place.country &&
    agrees(address.city, place.city) &&
    agrees(address.cityName[0], place.cityName[0]) &&
    agrees(address.cityName[2], place.cityName[2])
  );
}

/** Joins parts of a Chinese address: without a separator, except before a part in Latin letters. */
function joined(before: string, part: string): string {
  const isLatin = /^[\d\s.,/#-]*[a-z]{2}/i.test(part);
  return before && isLatin ? `${before} ${part}` : before + part;
}

/** Writes an address as one line in its country's order; `country` has the country's two names. */
export function addressLine(
  address: Address,
  country: { name: string; en: string } | undefined,
  language: string,
): string {
  const countryName = country ? (language === 'zh' ? country.name : country.en) : address.country;
  const [province = '', city = '', area = ''] = address.cityName;
  if (address.country === 'China' || address.country === 'Taiwan') {
    const cityPart = city === province ? '' : city;
    return [
      [countryName, address.city].filter(Boolean).join(' '),
      [province, cityPart, area, address.addressDetails].reduce(joined),
    ]
      .filter(Boolean)
      .join(' ');
  }
  const town = [area || city, province, address.city].filter(Boolean).join(' ');
  return [address.addressDetails, town, countryName].filter(Boolean).join(', ');
}
