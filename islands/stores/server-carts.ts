/* The two carts that the server stores, as the checkout reads them (docs/product.md#carts). */
import { serverCart } from './server-cart';

/** What is bought by the unit. */
export const ordinary = serverCart('DirectMailCart', 'cart');
/** What is bought by the carton (docs/product.md#pages). */
export const bulk = serverCart('BulkCart', 'bulkCart');
