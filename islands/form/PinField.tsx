import { InputField } from '../ui/Field';

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
    <InputField
      {...field}
      type="password"
      inputMode="numeric"
      maxLength={6}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value.replace(/\D/g, ''))}
    />
  );
}
