/* The ordinary cart (docs/product.md#carts). */
import { edits } from './cart-edits';
import { ordinary } from './server-carts';

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
} = { ...ordinary, ...edits(ordinary) };
