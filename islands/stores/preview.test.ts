import { beforeEach, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import { errorText, loadTexts } from '../i18n';
import { emptyAddress } from './address';
import { askPreview, isKnown, notDelivered } from './preview';

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

const SUMS = { goods: [], orderAmount: 10, discount: 0, payAmount: 19.9, freight: 9.9, parcels: [] };

it('asks with the place alone and the shipping type of its country, or without any', async () => {
  server.mockResolvedValue({ ...SUMS, missingForFree: 12.4 });
  const address = { ...emptyAddress(), ...PERTH, addressee: 'Mei', addressDetails: '1 High Street' };
  const goods = { orderGoods: GOODS, actionGoods: [] };
  expect(await askPreview({ ...goods, to: address })).toMatchObject({ freight: 9.9, missingForFree: 12.4 });
  await askPreview({ ...goods, to: { country: 'New Zealand', cityName: [], city: '' } });
  await askPreview({ ...goods, to: 'pickup', voucherCode: 'WELCOME' });
  await askPreview({ ...goods, to: null, voucherCode: '' });
  expect(server.mock.calls.map(([, , body]) => body)).toEqual([
    { ...goods, address: 'Australia-WA-Perth-6000', shippingType: 2 },
    { ...goods, address: 'New Zealand', shippingType: 1 },
    { ...goods, shippingType: 3, voucherCode: 'WELCOME' },
    goods,
  ]);
});

it.each([null, 1, {}, { ...SUMS, freight: null }, { ...SUMS, orderAmount: null }])(
  'takes %j for no sums',
  async (answer) => {
    server.mockResolvedValue(answer);
    const asked = askPreview({ orderGoods: GOODS, actionGoods: [], to: PERTH });
    expect(await reason(asked)).toBe('Server exception, please try again later');
  },
);

it.each([
  [PERTH, true],
  [{ ...NOWHERE, city: '6000' }, true],
  [NOWHERE, false],
  [{ country: 'China', cityName: ['广东省'], city: '' }, true],
  [{ country: 'China', cityName: [], city: '' }, false],
  [{ country: 'France', cityName: [], city: '' }, true],
])('shows whether %j is known well enough', (place, known) => {
  expect(isKnown(place)).toBe(known);
});

it('gives the shop’s text about a place that it does not deliver to, where it has one', () => {
  const refused = (texts?: { why: string; whyEn: string }) =>
    new ShopError({ code: 1002, status: 200, reason: 'address_error', ...texts });
  const result = { why: '冷冻商品不送此地', whyEn: 'Nothing frozen is sent there' };
  expect(notDelivered(refused(result))).toBe('Nothing frozen is sent there');
  document.documentElement.lang = 'zh-Hans';
  expect(notDelivered(refused(result))).toBe('冷冻商品不送此地');
  expect([notDelivered(refused()), notDelivered(new Error('lost'))]).toEqual(['', '']);
  document.documentElement.lang = 'en-AU';
});
