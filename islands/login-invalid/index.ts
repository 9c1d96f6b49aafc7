import { loadTextsOf, t } from '../i18n';
import { loginUrl } from '../lang';
import { endSession } from '../stores/session';
import { make } from '../ui/dom';

let open = false;

/**
 * Ends the session in this browser and asks where to go: the login page, or this page as a guest.
 * Does nothing when the refused token is not the browser's any more: another page has logged in or out in the meantime.
 *
 * See docs/product.md#failures.
 */
export async function loginInvalid(token: string | null): Promise<void> {
  if (open || token !== localStorage.getItem('token')) return;
  open = true;
  const target = loginUrl();
  endSession();
  await loadTextsOf('session');
  const login = make('button', { type: 'button', class: 'btn' }, t('session.toLogin'));
  const later = make('button', { type: 'button', class: 'btn btn--line' }, t('session.later'));
  const dialog = make(
    'dialog',
    { class: 'dialog stack', 'aria-labelledby': 'login-invalid' },
    make('h2', { id: 'login-invalid' }, t('session.invalidTitle')),
    make('p', {}, t('session.invalidText')),
    make('div', { class: 'row row--wrap' }, login, later),
  );
  login.onclick = () => location.assign(target);
  later.onclick = () => location.reload();
  dialog.oncancel = () => location.reload();
  document.body.append(dialog);
  dialog.showModal();
}
