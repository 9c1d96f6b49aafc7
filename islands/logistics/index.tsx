import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Logistics } from './Logistics';

/** Mounts the page of the parcels that are under way. */
export default async (element: HTMLElement) => {
  await loadTextsOf('orders');
  await mountPersonal(element, Logistics, {});
};
