import { type FormEvent, useId, useState } from 'react';
import { MAX_NAME, nameError } from '../favourite/names';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { InputField } from '../ui/Field';

interface Props<T> {
  title: string;
  name: string;
  /** Sends the name. Raises ShopError. */
  save: (name: string) => Promise<T>;
  onSaved: (answer: T) => void;
  onClose: () => void;
}

/** Asks for a list's name; a refusal of the server is shown at the field. */
export function NameDialog<T>({ title, name, save, onSaved, onClose }: Props<T>) {
  const [value, setValue] = useState(name);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState('');
  const id = useId();

  async function submit(event: FormEvent) {
    event.preventDefault();
    setSaving(true);
    try {
      onSaved(await save(value));
    } catch (refusal) {
      setError(nameError(refusal));
      document.getElementById(id)?.focus();
    }
    setSaving(false);
  }

  const form = `${id}-form`;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={form} busy={saving}>
            {t('favourites.save')}
          </Button>
          <Button kind="line" onClick={onClose}>
            {t('favourites.cancel')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <InputField
          id={id}
          label={t('favourites.name')}
          value={value}
          maxLength={MAX_NAME}
          autoComplete="off"
          error={error}
          onChange={(event) => {
            setValue(event.target.value);
            setError('');
          }}
        />
      </form>
    </Dialog>
  );
}
