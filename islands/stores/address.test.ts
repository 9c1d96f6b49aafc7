import { describe, expect, it } from 'vitest';
import type { ServerAddress } from '../api/types';
import {
  addressAt,
  addressLine,
  emptyAddress,
  freightAddress,
  fromServer,
  liesIn,
  shippingTypeFor,
  toServer,
} from './address';
import { type Place, placeLine } from './known-place';

const server: ServerAddress = {
  addressId: 7,
  addType: 1,
  contacts: 'Mei Lin',
  contactPhone: '0400 123 456',
  countryName: 'Australia',
  provinceName: 'WA',
  cityName: 'Perth',
  areaName: 'East Perth',
  addressDetail: '12/88 Wellington Street',
  zipCode: '6004',
  isDefault: true,
};

describe('address mapping', () => {
  it("converts to the browser's form and back without loss", () => {
    expect(toServer(fromServer(server))).toEqual(server);
  });

  it('has the post code in city and the area parts in cityName', () => {
    const address = fromServer(server);
    expect(address.city).toBe('6004');
    expect(address.cityName).toEqual(['WA', 'Perth', 'East Perth']);
    expect(address.check).toBe(false);
  });

  it('sends no addressId for a new address', () => {
    expect('addressId' in toServer(emptyAddress())).toBe(false);
  });

  it.each([
    ['China', 0],
    ['Australia', 1],
    ['Taiwan', 2],
    ['Hong Kong', 2],
    ['New Zealand', 2],
  ])('gives %s the addType %i', (country, addType) => {
    expect(toServer({ ...emptyAddress(), country }).addType).toBe(addType);
  });

  it('trims typed texts', () => {
    const typed = {
      ...emptyAddress(),
      addressee: ' Mei ',
      phone: ' 0400 ',
      addressDetails: ' 1 High St ',
      city: ' 6000 ',
    };
    const row = toServer({ ...typed, cityName: [' WA ', ' Perth '] });
    expect([row.contacts, row.contactPhone, row.addressDetail, row.zipCode]).toEqual([
      'Mei',
      '0400',
      '1 High St',
      '6000',
    ]);
    expect([row.provinceName, row.cityName, row.areaName]).toEqual(['WA', 'Perth', '']);
  });
});

describe('freightAddress', () => {
  it('joins country, areas and post code without empty parts', () => {
    expect(freightAddress(fromServer(server))).toBe('Australia-WA-Perth-East Perth-6004');
    expect(
      freightAddress({ ...emptyAddress(), country: 'Japan', city: '100-0001', cityName: ['', 'Tokyo', ' '] }),
    ).toBe('Japan-Tokyo-100-0001');
    expect(freightAddress({ ...emptyAddress(), country: 'Macau' })).toBe('Macau');
  });
});

describe('shippingTypeFor', () => {
  it('is 2 within Australia and 1 elsewhere', () => {
    expect(shippingTypeFor(emptyAddress())).toBe(2);
    expect(shippingTypeFor({ ...emptyAddress(), country: 'New Zealand' })).toBe(1);
  });
});

describe('addressLine', () => {
  const china = { short: 'CN', name: '中国', en: 'China', tel: '86', pinyin: 'zhongguo', featured: true };

  it('writes small to large for Australia', () => {
    expect(addressLine(fromServer(server), undefined, 'en')).toBe(
      '12/88 Wellington Street, East Perth WA 6004, Australia',
    );
  });

  it('writes large to small for China, and a municipality once', () => {
    const shanghai = { ...emptyAddress(), country: 'China', city: '200120', addressDetails: '世纪大道166号' };
    const address = { ...shanghai, cityName: ['上海市', '上海市', '浦东新区'] };
    expect(addressLine(address, china, 'zh')).toBe('中国 200120 上海市浦东新区世纪大道166号');
  });

  it('parts a street in Latin letters from a Chinese district', () => {
    const line = (addressDetails: string, ...cityName: string[]) =>
      addressLine({ ...emptyAddress(), country: 'China', cityName, addressDetails }, china, 'zh');
    expect(line('166 Century Avenue', '上海市', '上海市', '浦东新区')).toBe(
      '中国 上海市浦东新区 166 Century Avenue',
    );
    expect(line('166号A座', '上海市', '上海市', '浦东新区')).toBe('中国 上海市浦东新区166号A座');
    expect(line('Century Avenue', 'Shanghai', 'Shanghai', 'Pudong')).toBe(
      '中国 Shanghai Pudong Century Avenue',
    );
  });
});

describe('a place', () => {
  const eastPerth = { country: 'Australia', cityName: ['WA', '', 'East Perth'], city: '6004' };
  const address = fromServer(server);

  it('has the addresses that agree in all that it shows, however they are typed', () => {
    expect(liesIn(address, eastPerth)).toBe(true);
    expect(liesIn(address, { ...eastPerth, cityName: ['wa', 'Vincent', ' east perth '] })).toBe(true);
    expect(liesIn(address, { ...eastPerth, cityName: ['WA'] })).toBe(true);
    expect(liesIn(address, { ...eastPerth, cityName: ['WA', '', 'Perth'] })).toBe(false);
    expect(liesIn(address, { ...eastPerth, city: '6000' })).toBe(false);
    expect(liesIn(address, { ...eastPerth, country: 'China' })).toBe(false);
    expect(liesIn({ ...address, city: '' }, eastPerth)).toBe(false);
  });

  it('makes a new address without anything else', () => {
    expect(addressAt({ ...address, addressee: 'Mei' } as Place)).toEqual({
      ...emptyAddress(),
      city: '6004',
      cityName: ['WA', 'Perth', 'East Perth'],
    });
  });

  it('is written in short, abroad with its country', () => {
    expect(placeLine(eastPerth, 'Australia')).toBe('East Perth WA 6004');
    expect(placeLine({ country: 'New Zealand', cityName: [], city: '1010' }, '新西兰')).toBe('新西兰 1010');
    const shenzhen = { country: 'China', cityName: ['广东省', '深圳市', '南山区'], city: '518000' };
    expect(placeLine(shenzhen, 'China')).toBe('南山区, 深圳市, 广东省, China');
    document.documentElement.lang = 'zh-Hans';
    expect(placeLine(shenzhen, '中国')).toBe('中国 广东省 深圳市 南山区');
    const beijing = { country: 'China', cityName: ['北京市', '北京市', '朝阳区'], city: '100020' };
    expect(placeLine(beijing, '中国')).toBe('中国 北京市 朝阳区');
  });
});
