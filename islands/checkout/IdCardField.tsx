import { t } from '../i18n';
import { InputField } from '../ui/Field';

interface Props {
  /** How many days the shop keeps it. */
  days: number;
  id: string;
  value: string;
  error?: string;
  onChange: (text: string) => void;
}

/** Takes the recipient's ID card for China's customs, and shows why and for how long. */
export function IdCardField({ days, onChange, ...field }: Props) {
  return (
    <InputField
      {...field}
      label={t('wishes.idCard')}
      hint={t('wishes.idCardHint', { days })}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={24}
      required
    />
  );
}
