import { useSignals } from '@preact/signals-react/runtime';
import { useState } from 'react';
import { call } from '../api/client';
import { errorText, t } from '../i18n';
import { account } from '../stores/session';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field } from '../ui/Field';
import { Notice } from '../ui/Notice';
import { show } from '../ui/toast';

/** As many characters as a question has (docs/wire.md#orderask). */
const MAX_TEXT = 2000;

interface Props {
  orderNo: string;
  onClose: () => void;
}

/** Lets the customer ask the shop about the order. */
export function Ask({ orderNo, onClose }: Props) {
  useSignals();
  const [busy, setBusy] = useState(false);
  const [text, setText] = useState('');
  const [error, setError] = useState('');
  const [failure, setFailure] = useState<unknown>(null);

  async function send() {
    if (!text.trim()) {
      setError(t('question.empty'));
      document.getElementById('question')?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await call('POST', `/pc/order/ask/${encodeURIComponent(orderNo)}`, { text });
      show('ok', t('question.sent'));
      onClose();
    } catch (refusal) {
      setFailure(refusal);
      setBusy(false);
    }
  }

  return (
    <Dialog
      title={t('question.title', { orderNo })}
      onClose={onClose}
      actions={
        <>
          <Button busy={busy} onClick={send}>
            {t('question.send')}
          </Button>
          <Button kind="line" onClick={onClose}>
            {t('question.close')}
          </Button>
        </>
      }
    >
      <Field
        id="question"
        label={t('question.text')}
        hint={t('question.answer', { account: account.value })}
        error={error}
      >
        {(control) => (
          <textarea
            {...control}
            className="input"
            rows={5}
            maxLength={MAX_TEXT}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setError('');
            }}
          />
        )}
      </Field>
      {failure !== null && <Notice kind="danger">{errorText(failure)}</Notice>}
    </Dialog>
  );
}
