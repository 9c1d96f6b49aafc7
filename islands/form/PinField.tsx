import { InputField } from '../ui/Field';

interface Props {
  id: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  error?: string;
  hint?: string;
}

/** Six digits that nobody should read over the shoulder: the pay password. */
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

/** Tells whether a pay password has its form: exactly six digits (SPEC 5). */
export const isPin = (text: string): boolean => /^\d{6}$/.test(text);
