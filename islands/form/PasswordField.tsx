import { useState } from 'react';
import { t } from '../i18n';
import { Field } from '../ui/Field';
import { Icon } from '../ui/Icon';

interface Props {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string;
  hint?: string;
  autoComplete: 'current-password' | 'new-password' | 'off';
  inputMode?: 'numeric';
  maxLength?: number;
}

/** A password field with a button that shows what was typed. */
export function PasswordField({ id, label, value, onChange, error, hint, maxLength = 128, ...input }: Props) {
  const [shown, setShown] = useState(false);
  return (
    <Field id={id} label={label} error={error} hint={hint} full>
      {(control) => (
        <div className="withbtn">
          <input
            {...input}
            {...control}
            className="input"
            data-password
            type={shown ? 'text' : 'password'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={maxLength}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className="iconbtn"
            aria-pressed={shown}
            aria-label={t('form.showPassword')}
            onClick={() => setShown(!shown)}
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        </div>
      )}
    </Field>
  );
}
