/* The ordinary cart (SPEC 3, DirectMailCart). */
import { serverCart } from './server-cart';

export { keepChecksAtLogin, type Line } from './snapshot';

export const {
  lines,
  messages,
  saving,
  loading,
  loadError,
  checked,
  count,
  checkedCount,
  total,
  load,
  setAmount,
  change,
  remove,
  add,
  putOnly,
  check,
  checkAll,
  flush,
} = serverCart('DirectMailCart', 'cart');
