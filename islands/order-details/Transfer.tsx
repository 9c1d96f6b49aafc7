import { type ChangeEvent, type FormEvent, useEffect, useId, useState } from 'react';
import { call } from '../api/client';
import type { OrderDetail, Transfer as TransferState } from '../api/types';
import { FileInput } from '../form/FileInput';
import { isPicture, TYPES, uploadPicture } from '../form/pictures';
import { StillWorking } from '../form/StillWorking';
import { errorText, t } from '../i18n';
import { formatAud, toCents } from '../money';
import { formatTime } from '../orders/dates';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';
import { Notice } from '../ui/Notice';
import { show } from '../ui/toast';

const UNPAID = 1;

interface Props {
  order: OrderDetail;
  /** Called once a picture was sent, or refused since the order has moved on. */
  onChanged: () => void;
}

/** Shows what became of the picture that was sent last. */
function State({ order, transfer }: { order: OrderDetail; transfer: TransferState }) {
  if (transfer.status === 'waiting') {
    return (
      <Notice kind="warn">
        <b>{t('transfer.waiting')}</b>
        <br />
        {t('transfer.sentAt', { time: formatTime(transfer.createTime) })}
      </Notice>
    );
  }
  if (transfer.status === 'approved') {
    const left = toCents(order.leftToPay ?? 0);
    return (
      <Notice kind={left > 0 ? 'warn' : 'ok'}>
        {t('transfer.approved', { amount: formatAud(toCents(transfer.amount ?? 0)) })}
        {left > 0 && (
          <>
            <br />
            {t('transfer.missing', { amount: formatAud(left) })}
          </>
        )}
      </Notice>
    );
  }
  return (
    <Notice kind="warn">
      <b>{t('transfer.rejected')}</b>
      <br />
      {t(`transfer.reason.${transfer.reason as 'other'}`)} {transfer.reasonText}
      <br />
      {order.orderStatus === UNPAID && t('transfer.again')}
    </Notice>
  );
}

/** Takes the picture that proves an order's transfer, and shows what became of it (docs/product.md#transfers). */
export function Transfer({ order, onChanged }: Props) {
  const { transfer, orderNo } = order;
  const fileId = useId();
  const [file, setFile] = useState<File | null>(null);
  const [preview, setPreview] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    // The fragment's target is rendered only now.
    if (location.hash === '#transfer') document.getElementById('transfer-title')?.focus();
  }, []);
  useEffect(() => {
    if (!file) return setPreview('');
    const url = URL.createObjectURL(file);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = target.files?.[0] ?? null;
    const isUsable = !chosen || isPicture(chosen);
    setFile(isUsable ? chosen : null);
    setError(isUsable ? '' : errorText({ reason: 'picture_error' }));
    if (!isUsable) target.value = '';
  }

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (busy) return;
    const form = event.currentTarget;
    if (!file) {
      setError(t('transfer.missingFile'));
      return document.getElementById(fileId)?.focus();
    }
    setBusy(true);
    setError('');
    try {
      const imgUrl = await uploadPicture(file);
      await call('POST', '/pc/savePayCertificates', { imgUrl, orderNo });
      setFile(null);
      form.reset();
      show('ok', t('transfer.sent'));
    } catch (failure) {
      setError(errorText(failure));
    }
    setBusy(false);
    onChanged();
  }

  return (
    <section className="panel stack" id="transfer" aria-labelledby="transfer-title">
      <h2 id="transfer-title" tabIndex={-1}>
        {t('transfer.title')}
      </h2>
      {transfer ? (
        <State order={order} transfer={transfer} />
      ) : (
        <p>{t('transfer.intro', { amount: formatAud(toCents(order.leftToPay ?? 0)), orderNo })}</p>
      )}
      {transfer?.imgUrl && (
        <p className="stack">
          <img className="receipt" src={transfer.imgUrl} alt={t('transfer.yourPicture')} />
          <a className="link small" href={transfer.imgUrl} target="_blank" rel="noreferrer">
            {t('transfer.open')}
          </a>
        </p>
      )}
      {order.orderStatus === UNPAID && (
        <form className="stack" onSubmit={send} noValidate>
          <Field
            id={fileId}
            label={t(transfer ? 'transfer.otherFile' : 'transfer.file')}
            hint={t('transfer.hint')}
            error={error}
          >
            {(control) => (
              <FileInput
                text={t('transfer.choose')}
                accept={TYPES.join(',')}
                onChange={choose}
                {...control}
              />
            )}
          </Field>
          {file && <p className="small soft">{file.name}</p>}
          {preview && <img className="receipt" src={preview} alt={t('transfer.preview')} />}
          <p>
            <Button type="submit" kind={transfer ? 'soft' : undefined} busy={busy}>
              {t('transfer.send')}
            </Button>
          </p>
          <StillWorking busy={busy} />
        </form>
      )}
    </section>
  );
}
