import { mountComponent } from '../ui/mount';
import { OrderDetails, type OrderDetailsProps } from './OrderDetails';

/** Mounts the page of one order. */
export default (element: HTMLElement, props: OrderDetailsProps) =>
  mountComponent(element, OrderDetails, props);
