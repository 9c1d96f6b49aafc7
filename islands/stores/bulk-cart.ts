/* The bulk cart: products by the carton (docs/product.md#pages). */
import { serverCart } from './server-cart';

export const bulk = serverCart('BulkCart', 'bulkCart');
