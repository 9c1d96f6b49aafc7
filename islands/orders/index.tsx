import { mountComponent } from '../ui/mount';
import { Orders, type OrdersProps } from './Orders';

/** Mounts the list of orders. */
export default (element: HTMLElement, props: OrdersProps) => mountComponent(element, Orders, props);
