import { loadTextsOf } from '../i18n';
import { mountComponent } from '../ui/mount';
import { LoginPage } from './LoginPage';

/** Mounts the login page; `smsCountries`: where codes are sent by SMS. */
export default async (element: HTMLElement, props: { smsCountries: string[] }) => {
  await Promise.all([loadTextsOf('login'), loadTextsOf('captcha')]);
  await mountComponent(element, LoginPage, props);
};
