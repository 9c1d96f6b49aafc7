import { type FormEvent, useState } from 'react';
import { call } from '../api/client';
import type { Session } from '../api/types';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { AccountFields } from './AccountFields';
import { type AccountKind, kindOf, looksLikeAccount } from './account';
import { CodeField } from './CodeField';
import { forgetSentCode, keepSentCode, sentCode } from './sent-code';

const CONTROL_OF = {
  account: 'code-account',
  code: 'code-code',
  verification_code_error: 'code-code',
};

interface Props {
  /** The countries that codes are sent to by SMS, by their two letters. */
  smsCountries: readonly string[];
  onSession: (session: Session) => Promise<void>;
}

/** The form for an account and the code sent to it, which logs in without a password. */
export function CodeLoginForm({ smsCountries, onSession }: Props) {
  const [sent] = useState(() => sentCode('login'));
  const [account, setAccount] = useState<{ kind: AccountKind; text: string }>(() => ({
    kind: kindOf(sent?.account ?? ''),
    text: sent?.account ?? '',
  }));
  const [code, setCode] = useState('');
  const { errors, setErrors, drop, onChange } = useErrors();
  const [busy, setBusy] = useState(false);

  const accountIsGood = looksLikeAccount(account.kind, account.text);
  const accountError = { id: 'code-account', text: t(`login.error.${account.kind}`) };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const wrong: FormError[] = [];
    if (!accountIsGood) wrong.push(accountError);
    if (!/^\d{6}$/.test(code)) wrong.push({ id: 'code-code', text: t('code.error') });
    setErrors(wrong);
    if (wrong.length) return;
    setBusy(true);
    try {
      const session = await call<Session>('POST', '/pc/login/code', { account: account.text, code });
      forgetSentCode();
      return await onSession(session);
    } catch (error) {
      setErrors(serverErrors(error, CONTROL_OF, { account: accountError.text }));
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
      <ErrorSummary errors={errors} />
      <AccountFields
        id="code-account"
        initial={account.text}
        smsCountries={smsCountries}
        error={errorOf(errors, 'code-account')}
        onChange={(kind, text) => {
          // Errors about an e-mail address do not apply to a mobile number.
          if (kind !== account.kind) setErrors([]);
          // The dial code is part of the account.
          drop('code-account');
          setAccount({ kind, text });
        }}
      />
      <CodeField
        id="code-code"
        purpose="login"
        account={accountIsGood ? account.text : ''}
        value={code}
        onChange={setCode}
        onNoAccount={() => setErrors([accountError])}
        onSent={() => keepSentCode('login', account.text)}
        sentAt={sent?.account === account.text ? sent.at : undefined}
        error={errorOf(errors, 'code-code')}
      />
      <Button type="submit" size="lg" block busy={busy}>
        {t('login.logIn')}
      </Button>
      <StillWorking busy={busy} />
    </form>
  );
}
