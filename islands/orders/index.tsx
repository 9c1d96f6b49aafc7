import { mountPersonal } from '../personal';
import { Orders, type OrdersProps } from './Orders';

/** Mounts the list of orders. */
export default (element: HTMLElement, props: OrdersProps) => mountPersonal(element, Orders, props);
