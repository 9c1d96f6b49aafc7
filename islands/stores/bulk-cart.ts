/* The bulk cart: products by the carton (docs/product.md#pages). */
import { edits } from './cart-edits';
import { bulk as lines } from './server-carts';

export const bulk = { ...lines, ...edits(lines) };

/** A cart that the server stores, with its actions. */
export type ServerCart = Omit<typeof bulk, 'editing' | 'removeOrdered'>;
