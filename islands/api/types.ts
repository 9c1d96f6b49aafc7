import type { components } from './schema';

/** The shapes of the wire by their generated names (docs/wire.md). */
type Wire = components['schemas'];

export type Product = Wire['GoodsOut'];
export type ProductDetail = Wire['GoodsDetail'];
export type ProductBatch = Wire['BatchGoodsOut'];
export type CartItem = Wire['CartItemOut'];
/** An answer of the cart's calls; `removed` has the ids of a pushed cart that are not for sale. */
export type CartList = Wire['CartOut'] & Partial<Wire['MergedCartOut']>;
/** A customer's lists of favourites (docs/wire.md#favourites). */
export type FavouriteLists = Wire['FavouriteListsOut'];
export type FavouriteIds = Wire['FavouriteIdsOut'];
export type FavouritePage = Wire['Page_FavouriteGoods_'];
export type SharedList = Wire['ShareOut'];
export type Suggestions = Wire['SuggestionsOut'];

/** What login and registration answer (docs/wire.md#login). */
export type Session = Wire['LoginOut'];
export type Captcha = Wire['Captcha'];
export type Customer = Wire['UserInfo'];
export type Device = Wire['DeviceOut'];
export type DeviceList = Wire['DeviceList'];
/** Points, level and what is missing to the next one (docs/wire.md#userrewards). */
export type Rewards = Wire['RewardsOut'];
export type PointsPage = Wire['Page_IntegralEntry_'];
export type ServerAddress = Wire['AddressOut'];
export type AddressList = Wire['AddressList'];
export type Shop = Wire['ShopOut'];
export type Slot = Wire['SlotOut'];
/** When products arrive, and when they can be picked up, as far as it is known (docs/wire.md#commonarrival). */
export type Arrival = Wire['ArrivalOut'];
export type DeliveryWindows = Wire['WindowsOut'];
export type Freight = Wire['FreightOut'];
/** What an order would hold (docs/wire.md#orderpreview). */
export type Preview = Wire['PreviewOut'];
export type Trade = Wire['TradeOut'];
export type PlacedOrder = Wire['PlacedOut'];
export type PayType = Wire['PayTypeOut'];
export type PayInstructions = Wire['InstructionsOut'];
export type Jump = Wire['JumpOut'];
export type PayResult = Wire['PayResultOut'];
export type Order = Wire['OrderOut'];
/** A customer's claim with its thread, a row of the list, and what of an order can be claimed (docs/wire.md#claims). */
export type Claim = Wire['ClaimOut'];
export type ClaimRow = Wire['ClaimRowOut'];
export type ClaimPage = Wire['Page_ClaimRowOut_'];
export type Claimable = Wire['ClaimableOut'];
export type Transfer = Wire['TransferOut'];
export type Upload = Wire['UploadOut'];
export type OrderDetail = Wire['OrderDetail'];
export type Shipment = Wire['ShipmentOut'];
export type Logistics = Wire['LogisticsOut'];
export type OrderPage = Wire['Page_OrderOut_'];
export type OrderCounts = Wire['OrderCountsOut'];
export type Recharge = Wire['RechargeOut'];
export type RechargePage = Wire['Page_RechargeOut_'];
export type StartedRecharge = Wire['StartedRechargeOut'];
export type BalanceEntry = Wire['BalanceEntryOut'];
/** Whether the customer agrees to news and offers, and when that changed (docs/wire.md#consent). */
export type Consent = Wire['ConsentOut'];
/** A copy of what is held on the customer, as a file (docs/wire.md#mydata). */
export type MyData = Wire['MyDataOut'];
/** What keeps an account open, and what its end would cost (docs/wire.md#deletion). */
export type Deletion = Wire['DeletionOut'];
export type BalancePage = Wire['Page_BalanceEntryOut_'];
