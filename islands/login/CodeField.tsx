import { useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import { SecurityCheck } from '../form/SecurityCheck';
import { errorText, t } from '../i18n';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';
import { Notice } from '../ui/Notice';

const RESEND_AFTER_SECONDS = 60;

type State =
  | { step: 'idle' }
  | { step: 'checking' }
  | { step: 'sending' }
  | { step: 'sent' }
  | { step: 'failed'; text: string };

interface Props {
  id: string;
  /** The account the code is sent to; empty while the typed one is invalid. */
  account: string;
  purpose: 'login' | 'register' | 'reset' | 'pay';
  value: string;
  onChange: (value: string) => void;
  /** Called instead of sending when `account` is empty. */
  onNoAccount: () => void;
  /** Called once a code was sent. */
  onSent?: () => void;
  /** When a code was sent to this account before the page was opened, in milliseconds; read once. */
  sentAt?: number;
  error?: string;
}

/** Asks for a code, and sends it: after the security check, at most once a minute. */
export function CodeField(props: Props) {
  const { id, account, purpose, value, onChange, onNoAccount, onSent, sentAt, error } = props;
  const [state, setState] = useState<State>({ step: sentAt ? 'sent' : 'idle' });
  const [wait, setWait] = useState(() =>
    sentAt ? Math.ceil(RESEND_AFTER_SECONDS - (Date.now() - sentAt) / 1000) : 0,
  );
  const failure = useRef<HTMLDivElement>(null);
  const checkId = `${id}-check`;

  useEffect(() => {
    if (wait <= 0) return;
    const timer = setTimeout(() => setWait(wait - 1), 1000);
    return () => clearTimeout(timer);
  }, [wait]);

  useEffect(() => {
    if (state.step === 'failed') failure.current?.focus();
  }, [state]);

  function ask() {
    if (!account) return onNoAccount();
    if (state.step === 'checking') document.getElementById(checkId)?.focus();
    else setState({ step: 'checking' });
  }

  async function send(ticket: string) {
    if (!account) {
      setState({ step: 'idle' });
      return onNoAccount();
    }
    setState({ step: 'sending' });
    try {
      await call('POST', '/pc/common/sendCode', { account, purpose, ticket });
      onSent?.();
      setState({ step: 'sent' });
      setWait(RESEND_AFTER_SECONDS);
      document.getElementById(id)?.focus();
    } catch (error) {
      setState({ step: 'failed', text: errorText(error) });
    }
  }

  return (
    <div className="stack">
      <Field id={id} label={t('code.label')} error={error} full>
        {(control) => (
          <div className="code-row">
            <input
              {...control}
              className="input num"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              value={value}
              onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
            />
            <Button
              kind="soft"
              busy={state.step === 'sending'}
              reason={wait > 0 ? t('code.resendIn', { count: wait }) : ''}
              onClick={ask}
            >
              {t(state.step === 'sent' || state.step === 'failed' ? 'code.resend' : 'code.send')}
            </Button>
          </div>
        )}
      </Field>
      {/* One live region for the whole life of the field: the countdown next to the button is not read out.
       */}
      <p className="small muted" role="status">
        {state.step === 'sent' && t('code.sent', { account })}
      </p>
      {(state.step === 'checking' || state.step === 'sending') && (
        <SecurityCheck id={checkId} onTicket={send} />
      )}
      {state.step === 'failed' && (
        <div ref={failure} tabIndex={-1}>
          <Notice kind="danger">{state.text}</Notice>
        </div>
      )}
    </div>
  );
}
