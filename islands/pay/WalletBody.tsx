import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useEffect, useState } from 'react';
import { PinField } from '../form/PinField';
import { loadTextsOf, t } from '../i18n';
import { customer, loadCustomer } from '../stores/customer';
import { later } from '../ui/later';
import { show, showError } from '../ui/toast';
import { PIN_ID } from './payTypes';

const PayPasswordForm = later(async () => {
  await Promise.all([loadTextsOf('pin'), loadTextsOf('captcha')]);
  return (await import('./PayPasswordForm')).PayPasswordForm;
}, '20rem');

interface Props {
  pin: string;
  onPin: (pin: string) => void;
  error?: string;
  onSubmit: () => void;
}

/** Asks for the pay password, or lets the customer set one first. */
export function WalletBody({ pin, onPin, error, onSubmit }: Props) {
  useSignals();
  const [setting, setSetting] = useState(false);
  const hasPassword = customer.value?.hasPayPassword ?? true;

  // biome-ignore lint/correctness/useExhaustiveDependencies: only of an error that was there before this had loaded
  useEffect(() => {
    if (error) document.getElementById(PIN_ID)?.focus();
  }, []);

  function done() {
    setSetting(false);
    show('ok', t('pay.passwordSaved'));
    loadCustomer().catch(showError);
  }

  if (setting || !hasPassword) {
    return (
      <div className="option__body stack">
        {!hasPassword && <p className="small">{t('pay.noPassword')}</p>}
        <PayPasswordForm
          proof="code"
          onDone={done}
          onCancel={hasPassword ? () => setSetting(false) : undefined}
        />
      </div>
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    onSubmit();
  }
  return (
    <form className="option__body stack" onSubmit={submit} noValidate>
      <PinField id={PIN_ID} label={t('pay.password')} value={pin} onChange={onPin} error={error} />
      <p>
        <button type="button" className="link small" onClick={() => setSetting(true)}>
          {t('pay.forgotPassword')}
        </button>
      </p>
    </form>
  );
}
