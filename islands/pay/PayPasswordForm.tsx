import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useId, useState } from 'react';
import { call } from '../api/client';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { PinField } from '../form/PinField';
import { isPin } from '../form/pin';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { CodeField } from '../login/CodeField';
import { account } from '../stores/session';
import { Button } from '../ui/Button';

interface Props {
  /** How the customer is verified: by a code sent to the account, or by the current pay password. */
  proof: 'code' | 'oldPassword';
  onDone: () => void;
  onCancel?: () => void;
}

/** Sets the six-digit pay password (docs/wire.md#passwords). */
export function PayPasswordForm({ proof, onDone, onCancel }: Props) {
  useSignals();
  const formId = useId();
  const [evidence, setEvidence] = useState('');
  const [password, setPassword] = useState('');
  const [repeated, setRepeated] = useState('');
  const { errors, setErrors, drop, onChange } = useErrors();
  const [busy, setBusy] = useState(false);
  const id = { evidence: `${formId}evidence`, password: `${formId}password`, repeated: `${formId}repeated` };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const wrong: FormError[] = [];
    if (!isPin(evidence)) {
      wrong.push({
        id: id.evidence,
        text: t(proof === 'code' ? 'code.error' : 'pay.error.oldPassword'),
      });
    }
    if (!isPin(password)) wrong.push({ id: id.password, text: t('pay.error.sixDigits') });
    else if (password !== repeated) wrong.push({ id: id.repeated, text: t('pay.error.notTheSame') });
    setErrors(wrong);
    if (wrong.length) return;
    setBusy(true);
    try {
      await call('PUT', '/pc/setting/pay/password', { [proof]: evidence, password });
      onDone();
    } catch (error) {
      const controlOf = {
        code: id.evidence,
        verification_code_error: id.evidence,
        old_password_wrong: id.evidence,
      };
      setErrors(
        serverErrors(error, {
          ...controlOf,
          oldPassword: id.evidence,
          password: id.password,
          password_format: id.password,
        }),
      );
    }
    setBusy(false);
  }

  return (
    <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
      <ErrorSummary errors={errors} />
      {proof === 'code' ? (
        <CodeField
          id={id.evidence}
          purpose="pay"
          account={account.value}
          value={evidence}
          onChange={setEvidence}
          onNoAccount={() => undefined}
          error={errorOf(errors, id.evidence)}
        />
      ) : (
        <PinField
          id={id.evidence}
          label={t('pay.oldPassword')}
          value={evidence}
          onChange={setEvidence}
          error={errorOf(errors, id.evidence)}
        />
      )}
      <PinField
        id={id.password}
        label={t('pay.newPassword')}
        hint={t('pay.sixDigitsHint')}
        value={password}
        onChange={(text) => {
          setPassword(text);
          drop(id.repeated);
        }}
        error={errorOf(errors, id.password)}
      />
      <PinField
        id={id.repeated}
        label={t('pay.repeatPassword')}
        value={repeated}
        onChange={setRepeated}
        error={errorOf(errors, id.repeated)}
      />
      <div className="row row--wrap">
        <Button type="submit" kind="soft" busy={busy}>
          {t('pay.savePassword')}
        </Button>
        {onCancel && (
          <Button kind="quiet" onClick={onCancel}>
            {t('address.cancel')}
          </Button>
        )}
      </div>
    </form>
  );
}
