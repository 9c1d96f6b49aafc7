import { useSignals } from '@preact/signals-react/runtime';
import { t } from '../i18n';
import { idCard } from '../stores/id-card';
import { InputField } from '../ui/Field';

export const ID_CARD_ID = 'id-card';

interface Props {
  /** How many days the shop keeps it. */
  days: number;
  error?: string;
}

/** Takes the recipient's ID card for China's customs, and says why and for how long. */
export function IdCardField({ days, error }: Props) {
  useSignals();
  return (
    <InputField
      id={ID_CARD_ID}
      label={t('checkout.idCard')}
      hint={t('checkout.idCardHint', { days })}
      error={error}
      value={idCard.value}
      onChange={(event) => {
        idCard.value = event.currentTarget.value;
      }}
      inputMode="text"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      maxLength={24}
      required
    />
  );
}
