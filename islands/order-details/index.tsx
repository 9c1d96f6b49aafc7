import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { OrderDetails, type OrderDetailsProps } from './OrderDetails';

/** Mounts the page of one order. */
export default async (element: HTMLElement, props: OrderDetailsProps) => {
  await Promise.all([loadTextsOf('orders'), loadTextsOf('wallet'), loadTextsOf('wishes')]);
  await mountPersonal(element, OrderDetails, props);
};
