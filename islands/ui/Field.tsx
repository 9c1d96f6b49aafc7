import { type InputHTMLAttributes, type ReactNode, useId } from 'react';
import { Icon } from './Icon';

interface ControlProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

interface Props {
  label: string;
  hint?: string;
  /** What is wrong and how to fix it; shown above the control. */
  error?: string;
  full?: boolean;
  /** Renders the control with the attributes that tie it to label, hint and error. */
  children: (control: ControlProps) => ReactNode;
  /** The control's id, to which an ErrorSummary links. */
  id?: string;
}

/** A control of a form with its label, hint and error. */
export function Field({ label, hint, error, full, children, id }: Props) {
  const ownId = useId();
  const controlId = id ?? ownId;
  const described = [hint && `${controlId}-hint`, error && `${controlId}-error`].filter(Boolean).join(' ');
  return (
    <div className={full ? 'field full' : 'field'}>
      <label htmlFor={controlId}>{label}</label>
      {hint && (
        <p className="hint" id={`${controlId}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className="error" id={`${controlId}-error`}>
          <Icon name="circle-alert" />
          {error}
        </p>
      )}
      {children({
        id: controlId,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': described || undefined,
      })}
    </div>
  );
}

type InputProps = Omit<Props, 'children'> & Omit<InputHTMLAttributes<HTMLInputElement>, 'className'>;

/** A Field with an input. */
export function InputField({ label, hint, error, full, id, ...input }: InputProps) {
  return (
    <Field label={label} hint={hint} error={error} full={full} id={id}>
      {(control) => <input className="input" {...input} {...control} />}
    </Field>
  );
}
