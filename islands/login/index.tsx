import { mountComponent } from '../ui/mount';
import { LoginPage } from './LoginPage';

/** Takes over the login page. */
export default (element: HTMLElement) => mountComponent(element, LoginPage, {});
