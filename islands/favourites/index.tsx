import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Favourites } from './Favourites';

/** Mounts the customer's favourites and lists. */
export default async (element: HTMLElement) => {
  await Promise.all([loadTextsOf('favourites'), loadTextsOf('orders')]);
  await mountPersonal(element, Favourites, {});
};
