import { mountPersonal } from '../personal';
import { OrderDetails, type OrderDetailsProps } from './OrderDetails';

/** Mounts the page of one order. */
export default (element: HTMLElement, props: OrderDetailsProps) =>
  mountPersonal(element, OrderDetails, props);
