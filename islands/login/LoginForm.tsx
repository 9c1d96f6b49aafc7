import { type FormEvent, useState } from 'react';
import type { Session } from '../api/types';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { PasswordField } from '../form/PasswordField';
import { SecurityCheck } from '../form/SecurityCheck';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { logIn } from './attempt';
import { lockText } from './locked';

const CONTROL_OF = {
  account: 'login-account',
  password: 'login-password',
  account_or_password_wrong: 'login-password',
  account_or_password_empty: 'login-account',
};

interface Props {
  /** What the field for the account holds at first. */
  initialAccount: string;
  onSession: (session: Session) => Promise<void>;
}

/** The form for account and password. */
export function LoginForm({ initialAccount, onSession }: Props) {
  const [account, setAccount] = useState(initialAccount);
  const [password, setPassword] = useState('');
  const { errors, setErrors, onChange } = useErrors();
  const [busy, setBusy] = useState(false);
  /** How often the shop has asked for a security check; 0 while it does not. */
  const [checks, setChecks] = useState(0);

  function submit(event: FormEvent) {
    event.preventDefault();
    void enter();
  }

  async function enter(ticket?: string) {
    if (busy) return;
    const missing: FormError[] = [];
    if (!account.trim()) missing.push({ id: 'login-account', text: t('login.error.account') });
    if (!password) missing.push({ id: 'login-password', text: t('login.error.password') });
    setErrors(missing);
    if (missing.length) return setChecks(0);
    setBusy(true);
    try {
      const session = await logIn(account, password, ticket);
      if (session) return await onSession(session);
      // Each ticket is good for one login, so each time the check begins again.
      setChecks((before) => before + 1);
    } catch (error) {
      const locked = lockText(error);
      setErrors(locked ? [{ id: 'login-password', text: locked }] : serverErrors(error, CONTROL_OF));
      setChecks(0);
    }
    setBusy(false);
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
      {checks > 0 && <SecurityCheck key={checks} id="login-check" onTicket={enter} />}
      <Button type="submit" size="lg" block busy={busy}>
        {t('login.logIn')}
      </Button>
      <StillWorking busy={busy} />
    </form>
  );
}
