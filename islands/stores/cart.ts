/* The ordinary cart (docs/product.md#carts). */
import { serverCart } from './server-cart';

export const {
  lines,
  messages,
  saving,
  loading,
  loadError,
  checked,
  count,
  checkedCount,
  load,
  isFetched,
  setAmount,
  change,
  remove,
  add,
  addAll,
  putOnly,
  check,
  checkAll,
  clear,
  flush,
} = serverCart('DirectMailCart', 'cart');
