import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Orders, type OrdersProps } from './Orders';

/** Mounts the list of orders. */
export default async (element: HTMLElement, props: OrdersProps) => {
  await Promise.all([loadTextsOf('orders'), loadTextsOf('order-search')]);
  await mountPersonal(element, Orders, props);
};
