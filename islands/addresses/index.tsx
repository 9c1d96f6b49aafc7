import { mountPersonal } from '../personal';
import { AddressBook } from './AddressBook';

/** Mounts the address book of the account pages. */
export default (element: HTMLElement) => mountPersonal(element, AddressBook, {});
