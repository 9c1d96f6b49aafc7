import type { Address } from './address';

/** A field of the address form. */
export type AddressField =
  | 'addressee'
  | 'phone'
  | 'addressDetails'
  | 'province'
  | 'town'
  | 'area'
  | 'postcode';

/** Fields in the order the form shows them, which is the order of the error summary. */
export const ADDRESS_FIELDS: readonly AddressField[] = [
  'addressee',
  'phone',
  'addressDetails',
  'province',
  'town',
  'area',
  'postcode',
];

const REGION_FIELDS: readonly AddressField[] = ['province', 'town', 'area'];
const REQUIRED_REGIONS: Readonly<Record<string, readonly AddressField[]>> = {
  Australia: ['area', 'province'],
  China: ['province', 'town', 'area'],
  Malaysia: ['province', 'town'],
  Taiwan: ['province', 'town'],
};
const POSTCODES: Readonly<Record<string, RegExp>> = {
  Australia: /^\d{4}$/,
  China: /^(?:\d{6})?$/,
  Malaysia: /^\d{5}$/,
  Taiwan: /^\d{3}(?:\d{2,3})?$/,
};
const PHONE = /^\+?[\d\s().-]+$/;

/** Answer, for each field that needs mending, the key of the text that says how (texts `address.error.*`). */
export function addressErrors(address: Address): Partial<Record<AddressField, string>> {
  const errors: Partial<Record<AddressField, string>> = {};
  if (!address.addressee.trim()) errors.addressee = 'addressee';
  const digits = address.phone.replace(/\D/g, '').length;
  if (!address.phone.trim()) errors.phone = 'phone';
  else if (!PHONE.test(address.phone.trim()) || digits < 6 || digits > 15) errors.phone = 'phoneFormat';
  if (!address.addressDetails.trim()) errors.addressDetails = 'addressDetails';
  for (const field of REQUIRED_REGIONS[address.country] ?? []) {
    if (!address.cityName[REGION_FIELDS.indexOf(field)]?.trim())
      errors[field] = regionError(address.country, field);
  }
  const postcode = POSTCODES[address.country];
  if (postcode && !postcode.test(address.city.trim()))
    errors.postcode = address.city.trim() ? 'postcodeFormat' : 'postcode';
  return errors;
}

function regionError(country: string, field: AddressField): string {
  if (country === 'Australia') return field === 'area' ? 'suburb' : 'state';
  if (country === 'Malaysia') return field === 'town' ? 'town' : 'state';
  if (country === 'Taiwan') return field === 'town' ? 'district' : 'county';
  return field === 'town' ? 'city' : field === 'area' ? 'district' : 'province';
}
