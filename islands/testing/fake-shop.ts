import { vi } from 'vitest';
import type { CartItem, Goods } from '../api/types';

/** Makes a goods of the wire. */
export function makeGoods(goodsId: number, overrides: Partial<Goods> = {}): Goods {
  return {
    goodsId,
    sku: `SKU-${goodsId}`,
    goodsName: `商品${goodsId}`,
    goodsEnglishName: `Goods ${goodsId}`,
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

export interface Request {
  method: string;
  path: string;
  body: unknown;
  headers: Record<string, string>;
}

type Answer = { status?: number; code?: number; msg?: string; reason?: string; result?: unknown };

const FRESH: Pick<CartItem, 'checked' | 'available'> = { checked: false, available: true };

/** A shop behind `fetch` that keeps one customer's cart by the rules of CONTRACT 3. */
export class FakeShop {
  readonly requests: Request[] = [];
  readonly amounts = new Map<number, number>();
  /** What the next matching requests get instead of the shop's own answer. */
  readonly refusals: { match: (request: Request) => boolean; answer: Answer | 'offline' }[] = [];
  /** How long every answer takes, in milliseconds. */
  delay = 0;
  readonly goods: Goods[];

  constructor(goods: Goods[]) {
    this.goods = goods;
    vi.stubGlobal('fetch', this.fetch);
  }

  /** The writes to the cart so far, as short texts. */
  get writes(): string[] {
    return this.requests
      .filter(({ method }) => method !== 'GET')
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
    const place = this.refusals.findIndex(({ match }) => match(request));
    const [refusal] = place < 0 ? [] : this.refusals.splice(place, 1);
    if (refusal?.answer === 'offline') throw new TypeError('Failed to fetch');
    const {
      status = 200,
      code = 0,
      msg = '',
      reason,
      result = null,
    } = refusal?.answer ?? this.answer(request);
    return new Response(JSON.stringify({ code, msg, reason, result }), { status });
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
    const { goodsId = 0, goodsAmount = 0 } = (body ?? {}) as Partial<CartItem>;
    if (route === '/pc/goods') {
      const goods = this.goods.find((known) => known.goodsId === Number(id));
      return goods ? { result: goods } : { code: 1002, reason: 'goods_error', msg: '商品信息错误' };
    }
    if (route === '/pc/shoppingcartUpdate') return this.union(body as CartItem[]);
    if (route !== '/pc/shoppingCart') return { result: 1 };
    if (method === 'DELETE') this.amounts.delete(Number(id));
    if (method === 'POST') return this.put(goodsId, (this.amounts.get(goodsId) ?? 0) + goodsAmount);
    if (method === 'PUT') return this.put(goodsId, goodsAmount);
    return { result: { list: this.list() } };
  }

  private union(pushed: CartItem[]): Answer {
    const removed = pushed.filter(({ goodsId }) => !this.goods.some((goods) => goods.goodsId === goodsId));
    const capped = pushed
      .filter((item) => !removed.includes(item))
      .map(({ goodsId, goodsAmount }) => this.put(goodsId, goodsAmount))
      .find(({ reason }) => reason);
    return { ...capped, result: { list: this.list(), removed: removed.map(({ goodsId }) => goodsId) } };
  }

  private put(goodsId: number, wanted: number): Answer {
    const { limitAmount = 0, goodsStockAmount = 0 } =
      this.goods.find((goods) => goods.goodsId === goodsId) ?? {};
    const most = limitAmount ? Math.min(limitAmount, goodsStockAmount) : goodsStockAmount;
    this.amounts.set(goodsId, Math.min(wanted, most));
    const capped = wanted > most ? { reason: 'amount_above_limit', msg: '超出最大可购买数量' } : {};
    return { result: { list: this.list() }, ...capped };
  }

  private list(): CartItem[] {
    return [...this.amounts].reverse().flatMap(([goodsId, goodsAmount]) => {
      const goods = this.goods.find((known) => known.goodsId === goodsId);
      if (!goods) return [];
      const { goodsName, goodsEnglishName, goodsImgUrl, goodsStockAmount, memberPrice } = goods;
      const { isSelf, isAdvance, netWeight, storage, pack, packZh, unitPrice, unitPriceMeasure } = goods;
      const names = { goodsName, goodsEnglishName, goodsImgUrl, goodsStockAmount, memberPrice };
      const facts = { isSelf, isAdvance, netWeight, storage, pack, packZh, unitPrice, unitPriceMeasure };
      const { minAmount, limitAmount } = goods;
      const limits = { minAmount, limitAmount, cartonSize: 1, priceTiers: [] };
      return [{ goodsId, goodsAmount, ...names, ...facts, ...limits, ...FRESH }];
    });
  }
}
