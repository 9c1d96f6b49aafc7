/* The cart of bulk buying: goods by the carton (SPEC 2, /home/bulk). */
import { serverCart } from './server-cart';

export const bulk = serverCart('BulkCart', 'bulkCart');
