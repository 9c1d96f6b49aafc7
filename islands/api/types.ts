export type Storage = 'ambient' | 'chilled' | 'frozen';
export type Flag = '0' | '1';

/** CONTRACT 2. Prices are AUD with at most two decimals. */
export interface Goods {
  goodsId: number;
  sku: string;
  goodsName: string;
  goodsEnglishName: string;
  goodsImgUrl: string | null;
  brandId: number | null;
  brandName: string;
  brandNameEn: string;
  firstCategoryId: number;
  goodsTypeId: number;
  memberPrice: number;
  marketPrice: number | null;
  goodsStockAmount: number;
  isSelf: Flag;
  isAdvance: Flag;
  stockType: '1' | '2' | '3';
  netWeight: number | null;
  pack: string;
  unit: string;
  unitZh: string;
  unitPrice: number | null;
  unitPriceMeasure: string;
  storage: Storage;
  gstFree: boolean;
  isBulk: boolean;
  minAmount: number;
  limitAmount: number;
  actionTypeId: number | null;
  actionPrice: number | null;
}

/** CONTRACT 3. */
export interface CartItem {
  goodsId: number;
  goodsName: string;
  goodsEnglishName: string;
  goodsImgUrl: string | null;
  goodsAmount: number;
  goodsStockAmount: number;
  memberPrice: number;
  isSelf: Flag;
  isAdvance: Flag;
  checked: boolean;
  netWeight: number | null;
  storage: Storage;
  available: boolean;
}

/** An answer of the cart's calls; `removed` names goods that a pushed cart held in vain. */
export interface CartList {
  list: CartItem[];
  removed?: number[];
}
