import type { ReactNode, SelectHTMLAttributes } from 'react';
import { Field } from '../ui/Field';

interface Props extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'className' | 'onChange'> {
  id: string;
  label: string;
  error?: string;
  hint?: string;
  full?: boolean;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** A Field with a select. */
export function SelectField({ id, label, error, hint, full, onChange, children, ...select }: Props) {
  return (
    <Field id={id} label={label} error={error} hint={hint} full={full}>
      {(control) => (
        <select
          {...select}
          {...control}
          className="select"
          onChange={(event) => onChange(event.target.value)}
        >
          {children}
        </select>
      )}
    </Field>
  );
}
