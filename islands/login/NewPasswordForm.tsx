import { type FormEvent, useState } from 'react';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { PasswordField } from '../form/PasswordField';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { AccountFields } from './AccountFields';
import { type AccountKind, kindOf, lengthError, looksLikeAccount, passwordIsLongEnough } from './account';
import { CodeField } from './CodeField';
import { forgetSentCode, keepSentCode, sentCode } from './sent-code';

const CONTROL_OF = {
  account: 'new-account',
  phone_registered: 'new-account',
  code: 'new-code',
  verification_code_error: 'new-code',
  password: 'new-password',
  password_format: 'new-password',
  nickname: 'new-nickname',
};

/** What a customer enters when registering or resetting the password. */
export interface NewPassword {
  account: string;
  code: string;
  password: string;
  nickname?: string;
  /** Whether who registers agrees to news and offers. */
  marketing?: boolean;
}

interface Props {
  purpose: 'register' | 'reset';
  /** The countries that codes are sent to by SMS, by their two letters. */
  smsCountries: readonly string[];
  /** May raise ShopError; the form shows it. */
  onSubmit: (entry: NewPassword) => Promise<void>;
}

/** The form for an account, the code sent to it and a new password; when registering, also a nickname. */
export function NewPasswordForm({ purpose, smsCountries, onSubmit }: Props) {
  const [sent] = useState(() => sentCode(purpose));
  const [account, setAccount] = useState<{ kind: AccountKind; text: string }>(() => ({
    kind: kindOf(sent?.account ?? ''),
    text: sent?.account ?? '',
  }));
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [nickname, setNickname] = useState('');
  const [marketing, setMarketing] = useState(false);
  const { errors, setErrors, drop, onChange } = useErrors();
  const [busy, setBusy] = useState(false);

  const accountIsGood = looksLikeAccount(account.kind, account.text);
  const accountError = { id: 'new-account', text: t(`login.error.${account.kind}`) };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const wrong: FormError[] = [];
    if (!accountIsGood) wrong.push(accountError);
    if (!/^\d{6}$/.test(code)) wrong.push({ id: 'new-code', text: t('code.error') });
    if (!passwordIsLongEnough(password)) wrong.push({ id: 'new-password', text: lengthError(password) });
    setErrors(wrong);
    if (wrong.length) return;
    setBusy(true);
    try {
      const entry: NewPassword = { account: account.text, code, password };
      if (nickname.trim()) entry.nickname = nickname.trim();
      if (marketing) entry.marketing = true;
      await onSubmit(entry);
      forgetSentCode();
    } catch (error) {
      setErrors(
        serverErrors(error, CONTROL_OF, {
          account: accountError.text,
          code: t('code.error'),
          password: t('login.error.newPassword'),
        }),
      );
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
      <ErrorSummary errors={errors} />
      <AccountFields
        id="new-account"
        initial={account.text}
        smsCountries={smsCountries}
        error={errorOf(errors, 'new-account')}
        onChange={(kind, text) => {
          // Errors about an e-mail address do not apply to a mobile number.
          if (kind !== account.kind) setErrors([]);
          // The dial code is part of the account.
          drop('new-account');
          setAccount({ kind, text });
        }}
      />
      <CodeField
        id="new-code"
        purpose={purpose}
        account={accountIsGood ? account.text : ''}
        value={code}
        onChange={setCode}
        onNoAccount={() => setErrors([accountError])}
        onSent={() => keepSentCode(purpose, account.text)}
        sentAt={sent?.account === account.text ? sent.at : undefined}
        error={errorOf(errors, 'new-code')}
      />
      <PasswordField
        id="new-password"
        label={t(purpose === 'register' ? 'login.password' : 'login.newPassword')}
        hint={t('login.passwordHint')}
        error={errorOf(errors, 'new-password')}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
      />
      {purpose === 'register' && (
        <InputField
          id="new-nickname"
          label={t('login.nickname')}
          error={errorOf(errors, 'new-nickname')}
          autoComplete="nickname"
          maxLength={60}
          value={nickname}
          onChange={(event) => setNickname(event.target.value)}
          full
        />
      )}
      {purpose === 'register' && (
        <label className="check">
          <input
            type="checkbox"
            checked={marketing}
            onChange={(event) => setMarketing(event.target.checked)}
          />
          {t('login.marketing')}
        </label>
      )}
      <Button type="submit" size="lg" block busy={busy}>
        {t(purpose === 'register' ? 'login.register' : 'login.setPassword')}
      </Button>
      <StillWorking busy={busy} />
    </form>
  );
}
