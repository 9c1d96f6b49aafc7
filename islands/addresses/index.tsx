import { mountComponent } from '../ui/mount';
import { AddressBook } from './AddressBook';

/** Mounts the address book of the account pages. */
export default (element: HTMLElement) => mountComponent(element, AddressBook, {});
