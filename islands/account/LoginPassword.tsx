import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { PasswordField } from '../form/PasswordField';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { lengthError, passwordIsLongEnough } from '../login/account';
import { lockText } from '../login/locked';
import { account } from '../stores/session';
import { Button } from '../ui/Button';
import { show } from '../ui/toast';

const OLD = 'login-old-password';
const NEW = 'login-new-password';

/** Turns a refusal into errors of the form; for a lock with its duration. */
function errorsOf(error: unknown): FormError[] {
  const locked = lockText(error);
  if (locked) return [{ id: OLD, text: locked }];
  return serverErrors(
    error,
    { oldPassword: OLD, old_password_wrong: OLD, password: NEW },
    { oldPassword: t('security.error.oldPassword'), password: t('login.error.newPassword') },
  );
}

/** Changes the login password with the old one; `onChanged` is called once the other devices are logged out. */
export function LoginPassword({ onChanged }: { onChanged: () => void }) {
  useSignals();
  const [oldPassword, setOldPassword] = useState('');
  const [password, setPassword] = useState('');
  const { errors, setErrors, onChange } = useErrors();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const wrong: FormError[] = [];
    if (!oldPassword) wrong.push({ id: OLD, text: t('security.error.oldPassword') });
    if (!passwordIsLongEnough(password)) wrong.push({ id: NEW, text: lengthError(password) });
    setErrors(wrong);
    if (wrong.length) return;
    setBusy(true);
    try {
      await call('PUT', '/pc/setting/login/password', { oldPassword, password });
      setOldPassword('');
      setPassword('');
      show('ok', t('security.saved'));
      onChanged();
    } catch (error) {
      setErrors(errorsOf(error));
    }
    setBusy(false);
  }

  return (
    <section className="panel stack">
      <h2>{t('security.loginPassword')}</h2>
      <p className="soft">{t('security.loginPasswordText')}</p>
      <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
        <ErrorSummary errors={errors} />
        {/* Password managers ask whose password it is. */}
        <input type="text" autoComplete="username" value={account.value} readOnly hidden />
        <PasswordField
          id={OLD}
          label={t('security.oldPassword')}
          error={errorOf(errors, OLD)}
          autoComplete="current-password"
          value={oldPassword}
          onChange={setOldPassword}
        />
        <PasswordField
          id={NEW}
          label={t('security.newPassword')}
          hint={t('login.passwordHint')}
          error={errorOf(errors, NEW)}
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
        />
        <div className="row row--wrap">
          <Button type="submit" kind="soft" busy={busy}>
            {t('security.save')}
          </Button>
          <StillWorking busy={busy} />
        </div>
      </form>
    </section>
  );
}
