import type { OrderDetail } from '../api/types';
import { loadTextsOf } from '../i18n';
import { later } from '../ui/later';
import { CASH, COLLECTED_BY_STAFF, CUSTOMER_SERVICE, TRANSFER } from './payTypes';

/** How high they usually are, so that nothing below moves when they come. */
const HEIGHTS: Readonly<Record<string, string>> = {
  [CUSTOMER_SERVICE]: '31rem',
  [TRANSFER]: '51rem',
  [CASH]: '45.5rem',
};

const Loaded = later(
  async () => {
    await loadTextsOf('instructions');
    return (await import('./Instructions')).Instructions;
  },
  ({ height }) => height,
);

interface Props {
  orderNo: string;
  payType: string;
  /** They are asked for again once this is another one. */
  order?: OrderDetail;
}

/** Shows how an order is paid whose money staff collect; nothing for every other pay type. */
export function Instructions({ orderNo, payType, order }: Props) {
  if (!COLLECTED_BY_STAFF.has(payType)) return null;
  return <Loaded key={payType} orderNo={orderNo} order={order} height={HEIGHTS[payType] ?? ''} />;
}
