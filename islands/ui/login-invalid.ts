import { loadTexts, t } from '../i18n';
import { loginUrl } from '../lang';
import { forget } from '../stores/session';
import { make } from './dom';

let open = false;

/** Logs the customer out here and asks where to go on: the login page, or this page as a guest (SPEC 8). */
export async function loginInvalid(): Promise<void> {
  if (open) return;
  open = true;
  const target = loginUrl();
  forget();
  await loadTexts();
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
