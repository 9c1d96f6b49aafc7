import { type FormEvent, useState } from 'react';
import type { Session } from '../api/types';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { PasswordField } from '../form/PasswordField';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { logIn } from './attempt';

const CONTROL_OF = {
  account: 'login-account',
  password: 'login-password',
  account_or_password_wrong: 'login-password',
  account_or_password_empty: 'login-account',
};

/** The form for account and password. */
export function LoginForm({ onSession }: { onSession: (session: Session) => Promise<void> }) {
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const { errors, setErrors, onChange } = useErrors();
  const [busy, setBusy] = useState(false);
  const [checking, setChecking] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const missing: FormError[] = [];
    if (!account.trim()) missing.push({ id: 'login-account', text: t('login.error.account') });
    if (!password) missing.push({ id: 'login-password', text: t('login.error.password') });
    setErrors(missing);
    if (missing.length) return;
    setBusy(true);
    try {
      await onSession(await logIn(account, password, () => setChecking(true)));
    } catch (error) {
      setErrors(serverErrors(error, CONTROL_OF));
      setBusy(false);
    }
    setChecking(false);
  }

  return (
    <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
      <ErrorSummary errors={errors} />
      <InputField
        id="login-account"
        label={t('login.account')}
        error={errorOf(errors, 'login-account')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        value={account}
        onChange={(event) => setAccount(event.target.value)}
        full
      />
      <PasswordField
        id="login-password"
        label={t('login.password')}
        error={errorOf(errors, 'login-password')}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      <Button type="submit" size="lg" block busy={busy}>
        {t('login.logIn')}
      </Button>
      {checking ? (
        <p className="small muted" role="status">
          {t('code.securityCheck')}
        </p>
      ) : (
        <StillWorking busy={busy} />
      )}
    </form>
  );
}
