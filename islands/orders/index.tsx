import { mountComponent } from '../ui/mount';
import { Orders, type OrdersProps } from './Orders';

/** Takes over the list of orders. */
export default (element: HTMLElement, props: OrdersProps) => mountComponent(element, Orders, props);
