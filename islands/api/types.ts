import type { components } from './schema';

/** The shapes of the wire by their generated names (CONTRACT). */
type Wire = components['schemas'];

export type Goods = Wire['GoodsOut'];
export type CartItem = Wire['CartItemOut'];
/** An answer of the cart's calls; `removed` names goods that a pushed cart held in vain. */
export type CartList = Wire['CartOut'] & Partial<Wire['MergedCartOut']>;
