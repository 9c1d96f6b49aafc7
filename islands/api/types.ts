import type { components } from './schema';

/** The shapes of the wire by their generated names (CONTRACT). */
type Wire = components['schemas'];

export type Goods = Wire['GoodsOut'];
export type GoodsDetail = Wire['GoodsDetail'];
export type CartItem = Wire['CartItemOut'];
/** An answer of the cart's calls; `removed` names goods that a pushed cart held in vain. */
export type CartList = Wire['CartOut'] & Partial<Wire['MergedCartOut']>;
export type Suggestions = Wire['SuggestionsOut'];

export type Session = Wire['LoginOut'];
export type Captcha = Wire['Captcha'];
export type Customer = Wire['UserInfo'];
export type ServerAddress = Wire['AddressOut'];
export type AddressList = Wire['AddressList'];
export type Shop = Wire['ShopOut'];
export type Slot = Wire['SlotOut'];
export type Freight = Wire['FreightOut'];
export type Trade = Wire['TradeOut'];
export type PlacedOrder = Wire['PlacedOut'];
export type PayType = Wire['PayTypeOut'];
export type Jump = Wire['JumpOut'];
export type PayResult = Wire['PayResultOut'];
export type Order = Wire['OrderOut'];
export type OrderDetail = Wire['OrderDetail'];
export type OrderPage = Wire['Page_OrderOut_'];
