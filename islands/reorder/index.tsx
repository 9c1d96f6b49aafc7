import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Reorder } from './Reorder';

/** Mounts the list of what the customer has bought before. */
export default async (element: HTMLElement) => {
  await loadTextsOf('orders');
  await mountPersonal(element, Reorder, {});
};
