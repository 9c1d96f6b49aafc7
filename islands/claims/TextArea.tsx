import { Field } from '../ui/Field';

/** As many characters as a message has (docs/wire.md#claims). */
const MAX_MESSAGE = 1000;

interface Props {
  id: string;
  label: string;
  hint?: string;
  error?: string;
  value: string;
  onChange: (text: string) => void;
}

/** A Field for a message. */
export function TextArea({ value, onChange, ...field }: Props) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          className="input"
          rows={4}
          maxLength={MAX_MESSAGE}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}
