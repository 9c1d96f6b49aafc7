import { loadTextsOf } from '../i18n';
import { later } from '../ui/later';
import { COLLECTED_BY_STAFF } from './payTypes';

const Loaded = later(async () => {
  await loadTextsOf('instructions');
  return (await import('./Instructions')).Instructions;
}, '14rem');

interface Props {
  orderNo: string;
  payType: string;
}

/** Tells how an order is paid whose money staff collect; nothing for every other pay type. */
export function Instructions({ orderNo, payType }: Props) {
  return COLLECTED_BY_STAFF.has(payType) ? <Loaded key={payType} orderNo={orderNo} /> : null;
}
