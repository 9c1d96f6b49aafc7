import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import { errorText, loadTexts } from '../i18n';
import { emptyAddress } from './address';
import { askFreight, isKnown, notDelivered } from './freight';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const server = vi.mocked(call);
const PERTH = { country: 'Australia', cityName: ['WA', '', 'Perth'], city: '6000' };
const NOWHERE = { country: 'Australia', cityName: ['', ' '], city: '' };
const GOODS = [{ goodsId: 1, goodsAmount: 2 }];
const reason = async (asked: Promise<unknown>) => errorText(await asked.catch((error) => error));

beforeEach(async () => {
  server.mockReset();
  await loadTexts();
});

describe('askFreight', () => {
  it('says before any request that there is no address, or nothing selected', async () => {
    const noAddress = 'Freight acquisition failed: Address is Empty';
    expect(await reason(askFreight(null, GOODS))).toBe(noAddress);
    expect(await reason(askFreight(NOWHERE, GOODS))).toBe(noAddress);
    expect(await reason(askFreight(PERTH, []))).toBe('Freight acquisition failed: No item selected is Empty');
    expect(server).not.toHaveBeenCalled();
  });

  it('asks with the place alone, and with the shipping type of its country', async () => {
    server.mockResolvedValue({ freight: 9.9, parcels: [], missingForFree: 12.4 });
    const address = { ...emptyAddress(), ...PERTH, addressee: 'Mei', addressDetails: '1 High Street' };
    expect(await askFreight(address, GOODS)).toMatchObject({ freight: 9.9, missingForFree: 12.4 });
    await askFreight({ country: 'New Zealand', cityName: [], city: '' }, GOODS);
    expect(server.mock.calls.map(([, , body]) => body)).toEqual([
      { address: 'Australia-WA-Perth-6000', orderGoods: GOODS, shippingType: 2 },
      { address: 'New Zealand', orderGoods: GOODS, shippingType: 1 },
    ]);
  });
});

it.each([null, 1, {}, { freight: null }])('takes %j for no price', async (answer) => {
  server.mockResolvedValue(answer);
  expect(await reason(askFreight(PERTH, GOODS))).toBe('Server exception, please try again later');
});

it.each([
  [PERTH, true],
  [{ ...NOWHERE, city: '6000' }, true],
  [NOWHERE, false],
  [{ country: 'China', cityName: ['广东省'], city: '' }, true],
  [{ country: 'China', cityName: [], city: '' }, false],
  [{ country: 'France', cityName: [], city: '' }, true],
])('tells whether %j is known well enough', (place, known) => {
  expect(isKnown(place)).toBe(known);
});

it('gives the shop’s text about a place that it does not deliver to, where it has one', () => {
  const refused = (result?: unknown) =>
    new ShopError({ code: 1002, status: 200, reason: 'address_error', result });
  const result = { notDelivered: '冷冻商品不送此地', notDeliveredEn: 'Nothing frozen is sent there' };
  expect(notDelivered(refused(result))).toBe('Nothing frozen is sent there');
  document.documentElement.lang = 'zh-Hans';
  expect(notDelivered(refused(result))).toBe('冷冻商品不送此地');
  expect([notDelivered(refused()), notDelivered(new Error('lost'))]).toEqual(['', '']);
  document.documentElement.lang = 'en-AU';
});
