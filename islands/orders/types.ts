import type { ServerAddress } from '../addresses/address';

export interface OrderGoods {
  goodsId: number;
  goodsName: string;
  goodsEnglishName: string;
  goodsImgUrl: string | null;
  goodsAmount: number;
  /** AUD for one. */
  price: number;
  actionTypeId: number | null;
}

/** CONTRACT 4. Amounts are AUD, times ISO 8601. */
export interface Order {
  orderNo: string;
  orderStatus: number;
  statusLabel: string;
  orderAmount: number;
  freight: number;
  payAmount: number;
  payType: string;
  payImg: string;
  createTime: string;
  expireTime: string | null;
  shippingType: number;
  goods: OrderGoods[];
}

export interface OrderDetail extends Order {
  address: Omit<ServerAddress, 'isDefault'> | null;
  shop: { shopName: string; shopNameEn: string; address: string; terminalDateTime: string } | null;
  payments: { payType: string; amount: number; status: 'pending' | 'paid' | 'failed'; createTime: string }[];
  refunds: { amount: number; reason: string; status: 'due' | 'done'; createTime: string }[];
  history: { orderStatus: number; statusLabel: string; reason: string; createTime: string }[];
}

export interface OrderPage {
  list: Order[];
  total: number;
  page: number;
  size: number;
}
