import { useState } from 'react';
import { call } from '../api/client';
import type { OrderDetail } from '../api/types';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Field } from '../ui/Field';
import { Notice } from '../ui/Notice';
import { show, showError } from '../ui/toast';

/** As many characters as a reason has (docs/wire.md#orderrequestcancel). */
const MAX_REASON = 500;

interface Props {
  order: OrderDetail;
  /** Called with the order as it is after the request. */
  onRequested: (order: OrderDetail) => void;
  /** Called after a refusal: the order has changed. */
  onRefused: () => void;
}

/** Lets the customer request that a paid order is cancelled, and shows the answer of staff. */
export function Cancellation({ order, onRequested, onRefused }: Props) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [reason, setReason] = useState('');
  const { orderNo, cancellation, mayRequestCancel } = order;

  async function request() {
    setBusy(true);
    try {
      const path = `/pc/order/requestCancel/${encodeURIComponent(orderNo)}`;
      onRequested(await call<OrderDetail>('POST', path, { reason }));
      show('ok', t('cancellation.sent'));
    } catch (error) {
      showError(error);
      onRefused();
    }
    setBusy(false);
    setAsking(false);
  }

  if (cancellation) {
    const { status, answer } = cancellation;
    if (status === 'waiting') return <Notice kind="warn">{t('cancellation.waiting')}</Notice>;
    if (status === 'confirmed') return <Notice kind="ok">{t('cancellation.confirmed')}</Notice>;
    return <Notice kind="warn">{t('cancellation.declined', { answer })}</Notice>;
  }
  if (!mayRequestCancel) return null;
  return (
    <p>
      <Button kind="quiet" size="sm" onClick={() => setAsking(true)}>
        {t('cancellation.request')}
      </Button>
      {asking && (
        <Dialog
          title={t('cancellation.title')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button busy={busy} onClick={request}>
                {t('cancellation.yes')}
              </Button>
              <Button kind="line" onClick={() => setAsking(false)}>
                {t('cancellation.no')}
              </Button>
            </>
          }
        >
          <p>{t('cancellation.text', { orderNo })}</p>
          <Field id="cancellation-reason" label={t('cancellation.reason')}>
            {(control) => (
              <textarea
                {...control}
                className="input"
                rows={3}
                maxLength={MAX_REASON}
                value={reason}
                onChange={(event) => setReason(event.target.value)}
              />
            )}
          </Field>
        </Dialog>
      )}
    </p>
  );
}
