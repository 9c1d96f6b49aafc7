import { describe, expect, it } from 'vitest';
import { type Address, emptyAddress } from './address';
import { type ChosenLine, deliveryComplete, draftLines, emptyDraft, type OrderDraft } from './order-draft';

const perth: Address = {
  ...emptyAddress(),
  addressee: 'Mei Lin',
  phone: '0400 123 456',
  addressDetails: '12/88 Wellington Street',
  city: '6004',
  cityName: ['WA', '', 'East Perth'],
};
const delivery = (address: Address | null): OrderDraft => ({ ...emptyDraft(), address });

describe('deliveryComplete for delivery', () => {
  it('is false without an address', () => {
    expect(deliveryComplete(delivery(null))).toBe(false);
  });

  it('is true with addressee, phone, details, country and area', () => {
    expect(deliveryComplete(delivery(perth))).toBe(true);
  });

  it.each(['addressee', 'phone', 'addressDetails', 'country'] as const)('is false without %s', (field) => {
    expect(deliveryComplete(delivery({ ...perth, [field]: '  ' }))).toBe(false);
  });

  it.each(['Australia', 'China', 'Malaysia', 'Taiwan'])('needs a city or a postcode in %s', (country) => {
    const bare = { ...perth, country, city: '', cityName: ['', ' ', ''] };
    expect(deliveryComplete(delivery(bare))).toBe(false);
    expect(deliveryComplete(delivery({ ...bare, city: '6004' }))).toBe(true);
    expect(deliveryComplete(delivery({ ...bare, cityName: ['', 'East Perth'] }))).toBe(true);
  });

  it.each(['New Zealand', 'Hong Kong', 'Japan', 'USA', 'France'])('needs neither in %s', (country) => {
    expect(deliveryComplete(delivery({ ...perth, country, city: '', cityName: [] }))).toBe(true);
  });

  it('is false for an unknown delivery type', () => {
    expect(deliveryComplete({ ...delivery(perth), deliveryType: 'fature' })).toBe(false);
  });
});

describe('deliveryComplete for pickup', () => {
  const pickup = (pickupShopId: number | null, pickupTime: string): OrderDraft => ({
    ...emptyDraft(),
    deliveryType: 'pickup',
    pickup: { pickupShopId, pickupShoName: 'Perth', pickupTime },
  });

  it('needs a shop and a time', () => {
    expect(deliveryComplete(pickup(1, '22/11/2026 10:00'))).toBe(true);
    expect(deliveryComplete(pickup(null, '22/11/2026 10:00'))).toBe(false);
    expect(deliveryComplete(pickup(1, ''))).toBe(false);
  });

  it('does not ask for an address', () => {
    expect(deliveryComplete({ ...pickup(1, '22/11/2026 10:00'), address: null })).toBe(true);
  });
});

describe('draftLines', () => {
  const rice = (goodsAmount: number, prices: [number, number][]): ChosenLine => ({
    goodsId: 1,
    goodsName: '米',
    goodsEnglishName: 'Rice',
    goodsImgUrl: null,
    goodsAmount,
    memberPrice: prices[0]?.[1] ?? 0,
    netWeight: 500,
    priceTiers: prices.map(([fromAmount, price]) => ({ fromAmount, price })),
  });
  const bulk: [number, number][] = [
    [1, 10],
    [12, 8],
  ];
  const offered: [number, number][] = [
    [1, 9],
    [12, 8],
  ];
  const priced = (lines: ChosenLine[], together?: ChosenLine[]) =>
    draftLines(lines, together).map((line) => [line.goodsAmount, line.memberPrice]);

  it('makes one line, at one price, of a product in two carts', () => {
    expect(priced([rice(6, bulk), rice(6, bulk)])).toEqual([[12, 8]]);
  });

  it('prices a product by all its units, in the promotion and out of it', () => {
    const [ordinary, promoted] = [rice(6, bulk), rice(6, offered)];
    const together = [ordinary, promoted];
    expect([priced([ordinary], together), priced([promoted], together)]).toEqual([[[6, 8]], [[6, 8]]]);
    const fewer = [ordinary, rice(5, offered)];
    expect([priced([ordinary], fewer), priced([rice(5, offered)], fewer)]).toEqual([[[6, 10]], [[5, 9]]]);
  });
});
