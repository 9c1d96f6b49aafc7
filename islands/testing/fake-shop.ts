import { vi } from 'vitest';
import type { CartItem, Preview, Product } from '../api/types';

/** Makes a product as the wire has it. */
export function makeProduct(goodsId: number, overrides: Partial<Product> = {}): Product {
  return {
    goodsId,
    sku: `SKU-${goodsId}`,
    goodsName: `商品${goodsId}`,
    goodsEnglishName: `Product ${goodsId}`,
    goodsImgUrl: null,
    brandId: 1,
    brandName: '',
    brandNameEn: '',
    firstCategoryId: 1,
    goodsTypeId: 11,
    memberPrice: 3.9,
    marketPrice: null,
    goodsStockAmount: 10,
    isSelf: '0',
    isAdvance: '0',
    expectedDate: null,
    stockType: '1',
    netWeight: 500,
    pack: '500 g',
    packZh: '500 克',
    unit: 'bag',
    unitZh: '袋',
    unitPrice: 7.8,
    unitPriceMeasure: 'kg',
    storage: 'ambient',
    gstFree: false,
    isBulk: false,
    minAmount: 1,
    limitAmount: 0,
    actionTypeId: null,
    actionPrice: null,
    ...overrides,
  };
}

interface Request {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

interface PreviewBody {
  orderGoods: { goodsId: number; goodsAmount: number; actionTypeId?: number }[];
  actionGoods: { goodsId: number; goodsAmount: number; actionTypeId?: number }[];
  address?: string;
  shippingType?: number;
  points?: number;
  voucherCode?: string;
}

type Answer = {
  status?: number;
  code?: number;
  msg?: string;
  reason?: string;
  result?: unknown;
  whyEn?: string;
  fields?: object;
  retryAfter?: number;
};

/** Calls that read, although they have a body. */
const READING: ReadonlySet<string> = new Set([
  '/pc/common/arrival',
  '/pc/goods/batch',
  '/pc/goods/list',
  '/pc/order/preview',
]);

const FRESH: Pick<CartItem, 'checked' | 'available'> = { checked: false, available: true };

/** A shop behind `fetch` with one customer's cart, by the server's rules (docs/wire.md#cart). */
export class FakeShop {
  readonly requests: Request[] = [];
  readonly amounts = new Map<number, number>();
  /** Answers for the next matching requests, instead of the shop's own. */
  readonly refusals: { match: (request: Request) => boolean; answer: Answer | 'offline' }[] = [];
  /** The results of other calls, by their path. */
  readonly answers = new Map<string, unknown>([
    ['/pc/common/arrival', { window: null, parcels: [], pickup: null, expectedDate: null }],
    ['/pc/common/deliverySlots', { offered: false, slots: [] }],
  ]);
  /** The most points that the customer can use. */
  pointsUsable = 0;
  giftsLeftOut: Preview['giftsLeftOut'] = [];
  /** AUD that delivery costs with a voucher; 0: the voucher changes nothing. */
  freightWithVoucher = 0;
  /** Whether there is no network at all. */
  isOffline = false;
  /** How long every answer takes, in milliseconds. */
  delay = 0;
  readonly products: Product[];

  constructor(product: Product[]) {
    this.products = product;
    vi.stubGlobal('fetch', this.fetch);
  }

  /** The writes to the cart so far, as short texts. */
  get writes(): string[] {
    return this.requests
      .filter(({ method, path }) => method !== 'GET' && !READING.has(path))
      .map(({ method, path, body }) => {
        const { goodsId, goodsAmount } = (body ?? {}) as Partial<CartItem>;
        return goodsId === undefined ? `${method} ${path}` : `${method} ${goodsId}:${goodsAmount}`;
      });
  }

  refuseNext(answer: Answer | 'offline', match: (request: Request) => boolean = () => true): void {
    this.refusals.push({ match, answer });
  }

  readonly fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const request: Request = {
      method: init.method ?? 'GET',
      path: url.replace('/api/v1', ''),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
      headers: init.headers as Record<string, string>,
    };
    this.requests.push(request);
    await this.takeTime(init.signal);
    const index = this.refusals.findIndex(({ match }) => match(request));
    const [refusal] = index < 0 ? [] : this.refusals.splice(index, 1);
    if (this.isOffline || refusal?.answer === 'offline') throw new TypeError('Failed to fetch');
    const {
      status = 200,
      code = 0,
      msg = '',
      reason,
      result = null,
      whyEn,
      fields,
      retryAfter,
    } = refusal?.answer ?? this.answer(request);
    const headers: Record<string, string> = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
    return new Response(JSON.stringify({ code, msg, reason, result, whyEn, fields }), { status, headers });
  };

  private takeTime(signal?: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, this.delay);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new DOMException('Aborted', 'AbortError'));
      });
    });
  }

  private answer({ method, path, body }: Request): Answer {
    const [route = '', id = ''] = path.replace(/\?.*/, '').split(/\/(?=\d+$)/);
    const { goodsId = 0, goodsAmount = 0, after } = (body ?? {}) as Partial<CartItem> & { after?: number };
    if (route === '/pc/goods/batch') {
      const { goodsIds } = body as { goodsIds: number[] };
      const known = goodsIds.flatMap((asked) => this.products.filter((product) => product.goodsId === asked));
      return { result: { list: known } };
    }
    if (route === '/pc/order/preview') return { result: this.preview(body as PreviewBody) };
    if (route === '/pc/shoppingcartUpdate') return this.union(body as CartItem[]);
    if (route !== '/pc/shoppingCart') return { result: this.answers.get(route) ?? 1 };
    if (method === 'DELETE' && !id) this.amounts.clear();
    if (method === 'DELETE') this.amounts.delete(Number(id));
    if (method === 'POST') return this.put(goodsId, (this.amounts.get(goodsId) ?? 0) + goodsAmount, after);
    if (method === 'PUT') return this.put(goodsId, goodsAmount, after);
    return { result: { list: this.list() } };
  }

  /** What an order would hold; `answers` may have its freight, which a place is asked for. */
  private preview({
    orderGoods,
    actionGoods,
    address,
    shippingType,
    points = 0,
    voucherCode,
  }: PreviewBody): Preview {
    const goods = [...orderGoods, ...actionGoods].flatMap(({ goodsId, goodsAmount, actionTypeId = null }) =>
      this.products
        .filter((product) => product.goodsId === goodsId)
        .map(({ goodsName, goodsEnglishName, goodsImgUrl, memberPrice, actionPrice }) => {
          const price = actionTypeId === null ? memberPrice : (actionPrice ?? memberPrice);
          const lineAmount = Math.round(price * 100 * goodsAmount) / 100;
          const named = { goodsId, goodsName, goodsEnglishName, goodsImgUrl, goodsAmount, actionTypeId };
          const why = { why: '正常价格', whyEn: 'Ordinary price' };
          return { ...named, ...why, price, lineAmount, discount: 0, gst: 0, isGift: false };
        }),
    );
    const orderAmount = goods.reduce((sum, line) => sum + Math.round(line.lineAmount * 100), 0) / 100;
    const answered = this.answers.get('/pc/order/preview') as Partial<Preview> | undefined;
    const sent = address ? { freight: 0, ...answered } : { freight: shippingType === 3 ? 0 : null };
    const unsent = { parcels: [], freeFrom: [], missingForFree: null, discount: 0, gst: 0, freightGst: 0 };
    // A hundred points pay a dollar.
    const paid = { points, pointsAmount: points / 100, pointsUsable: this.pointsUsable };
    const without = { orderAmount, freight: 0, payAmount: orderAmount };
    const isDear = voucherCode !== undefined && this.freightWithVoucher > 0 && sent.freight !== null;
    const other = isDear
      ? { withoutVoucher: without, freight: this.freightWithVoucher }
      : { withoutVoucher: null };
    const given = { giftsLeftOut: this.giftsLeftOut, ...other };
    return { goods, orderAmount, payAmount: orderAmount, ...unsent, ...paid, ...sent, ...given };
  }

  private union(pushed: CartItem[]): Answer {
    const removed = pushed.filter(
      ({ goodsId }) => !this.products.some((product) => product.goodsId === goodsId),
    );
    const capped = pushed
      .filter((item) => !removed.includes(item))
      .map(({ goodsId, goodsAmount }) => this.put(goodsId, goodsAmount))
      .find(({ reason }) => reason);
    return { ...capped, result: { list: this.list(), removed: removed.map(({ goodsId }) => goodsId) } };
  }

  private put(goodsId: number, wanted: number, after?: number): Answer {
    const {
      limitAmount = 0,
      goodsStockAmount = 0,
      minAmount = 1,
    } = this.products.find((product) => product.goodsId === goodsId) ?? {};
    const maximum = limitAmount ? Math.min(limitAmount, goodsStockAmount) : goodsStockAmount;
    const newer = this.amounts.has(goodsId) ? [] : this.since(after);
    this.amounts.set(goodsId, Math.min(Math.max(wanted, minAmount), maximum));
    for (const [id, amount] of newer) {
      this.amounts.delete(id);
      this.amounts.set(id, amount);
    }
    const raised = wanted < minAmount ? { reason: 'amount_rounded_up', msg: '数量已按起购量或整箱调整' } : {};
    const capped = wanted > maximum ? { reason: 'amount_above_limit', msg: '超出最大可购买数量' } : {};
    return { result: { list: this.list() }, ...raised, ...capped };
  }

  /** The lines from a product on, the oldest first; none for one that is not there. */
  private since(goodsId?: number): [number, number][] {
    const rows = [...this.amounts];
    const place = rows.findIndex(([id]) => id === goodsId);
    return place < 0 ? [] : rows.slice(place);
  }

  private list(): CartItem[] {
    return [...this.amounts].reverse().flatMap(([goodsId, goodsAmount]) => {
      const product = this.products.find((known) => known.goodsId === goodsId);
      if (!product) return [];
      const { goodsName, goodsEnglishName, goodsImgUrl, goodsStockAmount, memberPrice } = product;
      const { isSelf, isAdvance, netWeight, storage, pack, packZh, unitPrice, unitPriceMeasure } = product;
      const names = { goodsName, goodsEnglishName, goodsImgUrl, goodsStockAmount, memberPrice };
      const facts = { isSelf, isAdvance, netWeight, storage, pack, packZh, unitPrice, unitPriceMeasure };
      const { expectedDate, minAmount, limitAmount } = product;
      const limits = { expectedDate, minAmount, limitAmount, cartonSize: 1, priceTiers: [] };
      return [{ goodsId, goodsAmount, ...names, ...facts, ...limits, ...FRESH }];
    });
  }
}
