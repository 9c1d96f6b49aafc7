import { loadTextsOf } from '../i18n';
import { mountComponent } from '../ui/mount';
import { LoginPage } from './LoginPage';

/** Mounts the login page. */
export default async (element: HTMLElement) => {
  await loadTextsOf('login');
  await mountComponent(element, LoginPage, {});
};
