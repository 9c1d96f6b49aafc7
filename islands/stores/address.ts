import type { ServerAddress } from '../api/types';

/** An address as the islands have it (docs/product.md#things-and-their-fields). */
export interface Address {
  addressId: number | null;
  addressee: string;
  phone: string;
  /** English name of the country list. */
  country: string;
  /** Post code; empty where the country has none. */
  city: string;
  /** Area parts, largest first: province or state; city, town or council; district or suburb. */
  cityName: readonly string[];
  addressDetails: string;
  check: boolean;
  isDefault: boolean;
}

/** An address of the server: of the address book, or as an order has copied it. */
type StoredAddress = Omit<ServerAddress, 'isDefault'> & Partial<Pick<ServerAddress, 'isDefault'>>;

/** An address as a request has it; a new one has no id. */
type SentAddress = Omit<ServerAddress, 'addressId'> & Partial<Pick<ServerAddress, 'addressId'>>;

export const DEFAULT_COUNTRY = 'Australia';
const ADD_TYPES: Readonly<Record<string, number>> = { China: 0, Australia: 1 };
const ADD_TYPE_ELSEWHERE = 2;

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
export function shippingTypeFor(address: Address): 1 | 2 {
  return address.country === 'Australia' ? 2 : 1;
}

/** Joins country, area parts and post code by "-", without empty parts (docs/wire.md#commonfreight). */
export function freightAddress(address: Address): string {
  return [address.country, ...address.cityName, address.city]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('-');
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
      `${province}${cityPart}${area}${address.addressDetails}`,
    ]
      .filter(Boolean)
      .join(' ');
  }
  const town = [area || city, province, address.city].filter(Boolean).join(' ');
  return [address.addressDetails, town, countryName].filter(Boolean).join(', ');
}
