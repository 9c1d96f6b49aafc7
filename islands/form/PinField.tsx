import { PasswordField } from './PasswordField';

interface Props {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string;
  hint?: string;
}

/** A masked field for the six digits of the pay password. */
export function PinField({ onChange, ...field }: Props) {
  return (
    <PasswordField
      {...field}
      inputMode="numeric"
      maxLength={6}
      autoComplete="off"
      onChange={(text) => onChange(text.replace(/\D/g, ''))}
    />
  );
}
