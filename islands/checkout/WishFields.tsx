import { useSignals } from '@preact/signals-react/runtime';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import * as checkout from '../stores/checkout';
import type { SoldOutWish } from '../stores/order-draft';
import { Field } from '../ui/Field';

const MAX_REMARK = 500;
const WISHES: readonly SoldOutWish[] = ['replace', 'refund', 'ask'];

/** Asks for the customer's wishes besides the products. */
export function WishFields() {
  useSignals();
  const { deliveryType, remark, soldOutWish } = checkout.draft.value;
  return (
    <>
      <SelectField
        id="sold-out-wish"
        label={t('wishes.soldOut')}
        value={soldOutWish}
        onChange={(wish) => checkout.noteWishes({ soldOutWish: wish as SoldOutWish | '' })}
      >
        <option value="">{t('wishes.soldOutWish.none')}</option>
        {WISHES.map((wish) => (
          <option key={wish} value={wish}>
            {t(`wishes.soldOutWish.${wish}`)}
          </option>
        ))}
      </SelectField>
      <Field
        id="remark"
        label={t(deliveryType === 'delivery' ? 'wishes.instructions' : 'wishes.remark')}
        hint={t(deliveryType === 'delivery' ? 'wishes.instructionsHint' : 'wishes.remarkHint')}
      >
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={2}
            maxLength={MAX_REMARK}
            value={remark}
            onChange={(event) => checkout.noteWishes({ remark: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
