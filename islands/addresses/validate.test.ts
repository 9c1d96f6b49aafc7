import { describe, expect, it } from 'vitest';
import { type Address, emptyAddress } from '../stores/address';
import { addressErrors } from './validate';

const base: Address = {
  ...emptyAddress(),
  addressee: 'Mei Lin',
  phone: '+61 400 123 456',
  addressDetails: '1 High Street',
};
const perth: Address = { ...base, city: '6004', cityName: ['WA', '', 'East Perth'] };

describe('addressErrors', () => {
  it('accepts a complete address of each kind', () => {
    expect(addressErrors(perth)).toEqual([]);
    expect(addressErrors({ ...base, country: 'China', cityName: ['上海市', '上海市', '浦东新区'] })).toEqual(
      [],
    );
    expect(
      addressErrors({ ...base, country: 'Taiwan', city: '100', cityName: ['臺北市', '中正區'] }),
    ).toEqual([]);
    expect(
      addressErrors({ ...base, country: 'Malaysia', city: '05000', cityName: ['Kedah', 'Alor Setar'] }),
    ).toEqual([]);
    expect(addressErrors({ ...base, country: 'Hong Kong' })).toEqual([]);
  });

  it('names every missing field of an empty Australian address', () => {
    expect(addressErrors(emptyAddress())).toEqual([
      ['addressee', 'addressee'],
      ['phone', 'phone'],
      ['addressDetails', 'addressDetails'],
      ['area', 'suburb'],
      ['province', 'state'],
      ['postcode', 'postcode'],
    ]);
  });

  it('requires each level of a Chinese address, but no postcode', () => {
    expect(addressErrors({ ...base, country: 'China' })).toEqual([
      ['province', 'province'],
      ['town', 'city'],
      ['area', 'district'],
    ]);
  });

  it.each(['12', 'abc', '0400 123 45x', '1'.repeat(16)])('refuses the phone %j', (phone) => {
    expect(addressErrors({ ...perth, phone })).toEqual([['phone', 'phoneFormat']]);
  });

  it.each([
    ['Australia', '604'],
    ['Malaysia', '5000'],
    ['Taiwan', '10'],
    ['China', '20012'],
  ])('refuses a postcode of the wrong length in %s', (country, city) => {
    expect(addressErrors({ ...perth, country, city, cityName: ['a', 'b', 'c'] })).toEqual([
      ['postcode', 'postcodeFormat'],
    ]);
  });
});
