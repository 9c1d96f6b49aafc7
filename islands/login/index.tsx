import { mountComponent } from '../ui/mount';
import { LoginPage } from './LoginPage';

/** Mounts the login page. */
export default (element: HTMLElement) => mountComponent(element, LoginPage, {});
