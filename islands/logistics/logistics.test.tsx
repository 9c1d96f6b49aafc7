// Its scheduler must not take a clock of one test, which is stopped in the next.
import 'react-dom/client';
import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser, logInAs } from '../testing/browser';
import { FakeShop } from '../testing/fake-shop';

const LOGISTICS = '/pc/order/logistics/';

let shop: FakeShop;

function makeParcel(orderNo: string, trackingNo: string) {
  const event = {
    time: '2026-11-22T02:00:00Z',
    status: 'in_transit',
    text: '离开珀斯',
    textEn: 'Left Perth',
  };
  return {
    parcelNo: `${orderNo}-P1`,
    carrier: '袋鼠邮政',
    carrierEn: 'Kangaroo Post',
    trackingNo,
    trackingUrl: '',
    status: 'in_transit',
    goods: [{ goodsId: 1, goodsName: '大米', goodsEnglishName: 'Rice', goodsAmount: 2 }],
    events: [event],
  };
}

/** Lets the shop answer with so many orders under way, each with a parcel; returns their numbers. */
function underWay(count: number, total = count): string[] {
  const orderNos = Array.from({ length: count }, (_, index) => `S${index + 1}A`);
  shop.answers.set('/pc/orderInfo', { list: orderNos.map((orderNo) => ({ orderNo })), total });
  for (const orderNo of orderNos) {
    shop.answers.set(`${LOGISTICS}${orderNo}`, { list: [makeParcel(orderNo, `KP-${orderNo}`)] });
  }
  return orderNos;
}

async function open(query = '') {
  history.replaceState(null, '', `/home/account/logis${query}`);
  const island = document.createElement('shop-island');
  document.body.append(island);
  await (await import('.')).default(island);
  return island;
}

const asked = () => shop.requests.filter(({ path }) => path.startsWith(LOGISTICS)).map(({ path }) => path);

beforeEach(async () => {
  freshBrowser();
  shop = new FakeShop([]);
  logInAs('mei@example.com');
  await (await import('../i18n')).loadTexts();
});

it('shows the parcels of each order under way, with their news', async () => {
  underWay(2);
  const island = await open();
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(2));
  expect(island.textContent).toContain('KP-S1A');
  expect(island.textContent).toContain('KP-S2A');
  expect(island.textContent).toContain('2 × Rice');
  expect(island.textContent).toContain('Left Perth');
  expect(island.querySelector('.pager')).toBeNull();
});

it('asks about ten orders on each page, and links the others', async () => {
  underWay(10, 21);
  const island = await open('?page=2');
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(10));
  const [listing] = shop.requests.filter(({ path }) => path === '/pc/orderInfo');
  expect(listing?.body).toEqual({ status: 'unreceived', page: 2, size: 10 });
  expect(asked()).toHaveLength(10);
  const links = [...island.querySelectorAll<HTMLAnchorElement>('.pager a')];
  expect(links.map((link) => [link.getAttribute('href'), link.getAttribute('aria-current')])).toEqual([
    ['?', null],
    ['?page=2', 'page'],
    ['?page=3', null],
  ]);
});

it('shows what came, shows which order failed in its place, and asks about that one again', async () => {
  underWay(3);
  shop.refuseNext({ status: 500, code: 1, msg: 'no' }, ({ path }) => path === `${LOGISTICS}S2A`);
  const island = await open();
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(2));
  const [notice] = island.querySelectorAll('[role=alert]');
  expect(island.querySelectorAll('[role=alert]')).toHaveLength(1);
  expect(notice?.closest('section')?.querySelector('h2')?.textContent).toContain('S2A');
  notice?.querySelector('button')?.click();
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(3));
  expect(island.querySelector('[role=alert]')).toBeNull();
  expect(asked()).toHaveLength(4);
});

it('offers to try again where the orders cannot be listed', async () => {
  underWay(1);
  shop.refuseNext('offline', ({ path }) => path === '/pc/orderInfo');
  const island = await open();
  await vi.waitFor(() => expect(island.querySelector('[role=alert] button')).not.toBeNull());
  expect(asked()).toEqual([]);
  island.querySelector<HTMLButtonElement>('[role=alert] button')?.click();
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(1));
});

it('asks about the order alone that the address names', async () => {
  underWay(3);
  const island = await open('?order=S3A');
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(1));
  expect(asked()).toEqual([`${LOGISTICS}S3A`]);
  expect(shop.requests.some(({ path }) => path === '/pc/orderInfo')).toBe(false);
});

it('leaves orders without parcels out, and shows it where none has any', async () => {
  const [first = '', second = ''] = underWay(2);
  shop.answers.set(`${LOGISTICS}${first}`, { list: [] });
  let island = await open();
  await vi.waitFor(() => expect(island.querySelectorAll('article')).toHaveLength(1));
  expect(island.textContent).not.toContain(first);
  expect(island.textContent).not.toContain('No parcels on the way');
  shop.answers.set(`${LOGISTICS}${second}`, { list: [] });
  island = await open();
  await vi.waitFor(() => expect(island.textContent).toContain('No parcels on the way'));
});
