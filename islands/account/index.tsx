import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { AccountHome } from './AccountHome';
import { type AccountPage, AccountSide } from './AccountSide';
import { Security } from './Security';

interface Props {
  /** `side` with `page`: the card and the menu next to a page; else the page's own content. */
  part: 'side' | 'details' | 'password';
  page?: AccountPage;
}

/** Mounts a part of the account pages. */
export default async (element: HTMLElement, { part, page = 'details' }: Props) => {
  await Promise.all([loadTextsOf('account'), part === 'details' && loadTextsOf('points')]);
  if (part === 'side') return mountPersonal(element, AccountSide, { page });
  await Promise.all([loadTextsOf('pin'), loadTextsOf('captcha'), loadTextsOf('security')]);
  if (part === 'details') return mountPersonal(element, AccountHome, {});
  await loadTextsOf('login');
  return mountPersonal(element, Security, {});
};
