import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Orders, type OrdersProps } from './Orders';

/** Mounts the list of orders. */
export default async (element: HTMLElement, props: OrdersProps) => {
  await loadTextsOf('orders');
  await mountPersonal(element, Orders, props);
};
