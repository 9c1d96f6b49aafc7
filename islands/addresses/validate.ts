import type { Address } from '../stores/address';

/** A field of the address form. */
export type AddressField =
  | 'addressee'
  | 'phone'
  | 'addressDetails'
  | 'province'
  | 'town'
  | 'area'
  | 'postcode';

/** What is wrong with a field: the last part of its text's key, `address.error.*`. */
export type AddressProblem =
  | 'addressee'
  | 'phone'
  | 'phoneFormat'
  | 'phoneImpossible'
  | 'country'
  | 'addressDetails'
  | 'state'
  | 'suburb'
  | 'province'
  | 'city'
  | 'county'
  | 'district'
  | 'town'
  | 'postcode'
  | 'postcodeFormat'
  | 'provinceElsewhere'
  | 'townElsewhere'
  | 'areaElsewhere'
  | 'postcodeElsewhere'
  | 'suburbUnknown';

interface CountryRules {
  /** Required area fields in the order of the form. */
  areas: [field: AddressField, problem: AddressProblem][];
  postcode: RegExp;
}

const RULES: Readonly<Record<string, CountryRules>> = {
  Australia: {
    areas: [
      ['area', 'suburb'],
      ['province', 'state'],
    ],
    postcode: /^\d{4}$/,
  },
  China: {
    areas: [
      ['province', 'province'],
      ['town', 'city'],
      ['area', 'district'],
    ],
    postcode: /^(?:\d{6})?$/,
  },
  Malaysia: {
    areas: [
      ['province', 'state'],
      ['town', 'town'],
    ],
    postcode: /^\d{5}$/,
  },
  Taiwan: {
    areas: [
      ['province', 'county'],
      ['town', 'district'],
    ],
    postcode: /^\d{3}(?:\d{2,3})?$/,
  },
};
const PHONE = /^\+?[\d\s().-]+$/;

/** Lists the invalid fields, in the order of the form, each with its problem. */
export function addressErrors(address: Address): [AddressField, AddressProblem][] {
  const errors: [AddressField, AddressProblem][] = [];
  const [province = '', town = '', area = ''] = address.cityName.map((part) => part.trim());
  const phone = address.phone.trim();
  const digits = phone.replace(/\D/g, '').length;
  const postcode = address.city.trim();
  const rules = RULES[address.country];

  if (!address.addressee.trim()) errors.push(['addressee', 'addressee']);
  if (!phone) errors.push(['phone', 'phone']);
  else if (!PHONE.test(phone) || digits < 6 || digits > 15) errors.push(['phone', 'phoneFormat']);
  if (!address.addressDetails.trim()) errors.push(['addressDetails', 'addressDetails']);
  const typed: Partial<Record<AddressField, string>> = { province, town, area };
  errors.push(...(rules?.areas ?? []).filter(([field]) => !typed[field]));
  if (rules && !rules.postcode.test(postcode))
    errors.push(['postcode', postcode ? 'postcodeFormat' : 'postcode']);
  return errors;
}
