import { loadTextsOf } from '../i18n';
import { mountComponent } from '../ui/mount';
import { LoginPage, type LoginPageProps } from './LoginPage';

/** Mounts the login page. */
export default async (element: HTMLElement, props: LoginPageProps) => {
  await Promise.all([loadTextsOf('login'), loadTextsOf('captcha')]);
  await mountComponent(element, LoginPage, props);
};
