import { t } from '../i18n';
import { Icon } from './Icon';

interface Props {
  /** The name of the product, for the buttons' labels. */
  name: string;
  amount: number;
  /** At this amount the lower button removes. */
  minimum?: number;
  maximum: number;
  small?: boolean;
  disabled?: boolean;
  onStep: (delta: 1 | -1) => void;
}

/** An amount with buttons for less and more; at the minimum the first one removes, and shows so. */
export function Stepper({ name, amount, minimum = 1, maximum, small, disabled = false, onStep }: Props) {
  const isMinimum = amount <= minimum;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend and brings its own layout
    <div
      className={small ? 'stepper stepper--sm' : 'stepper'}
      role="group"
      aria-label={t('ui.amountOf', { name })}
    >
      <button
        type="button"
        aria-label={isMinimum ? t('cart.remove', { name }) : t('ui.oneLess')}
        disabled={disabled}
        onClick={() => onStep(-1)}
      >
        <Icon name={isMinimum ? 'trash-2' : 'minus'} />
      </button>
      <output>{amount}</output>
      <button
        type="button"
        aria-label={t('ui.oneMore')}
        disabled={disabled || amount >= maximum}
        onClick={() => onStep(1)}
      >
        <Icon name="plus" />
      </button>
    </div>
  );
}
