import { t } from '../i18n';
import { Icon } from './Icon';

interface Props {
  /** What is counted, for the controls' names. */
  name: string;
  amount: number;
  /** One less than this removes. */
  least?: number;
  most: number;
  small?: boolean;
  disabled?: boolean;
  onStep: (delta: 1 | -1) => void;
}

/** An amount with one less and one more; at the least amount one less means remove, and shows it. */
export function Stepper({ name, amount, least = 1, most, small, disabled = false, onStep }: Props) {
  const last = amount <= least;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend and brings its own layout
    <div
      className={small ? 'stepper stepper--sm' : 'stepper'}
      role="group"
      aria-label={t('ui.amountOf', { name })}
    >
      <button
        type="button"
        aria-label={last ? t('cart.remove', { name }) : t('ui.oneLess')}
        disabled={disabled}
        onClick={() => onStep(-1)}
      >
        <Icon name={last ? 'trash-2' : 'minus'} />
      </button>
      <output>{amount}</output>
      <button
        type="button"
        aria-label={t('ui.oneMore')}
        disabled={disabled || amount >= most}
        onClick={() => onStep(1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
