import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { AddressBook } from './AddressBook';

/** Mounts the address book of the account pages. */
export default async (element: HTMLElement) => {
  await Promise.all([loadTextsOf('address'), loadTextsOf('place')]);
  await mountPersonal(element, AddressBook, {});
};
