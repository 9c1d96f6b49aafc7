import { useState } from 'react';
import { call } from '../api/client';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { show, showError } from '../ui/toast';

interface Props {
  orderNo: string;
  onReceived: () => void;
}

/** Lets the customer confirm that everything has come, after a question. */
export function Receive({ orderNo, onReceived }: Props) {
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);

  async function receive() {
    setBusy(true);
    try {
      await call('PUT', `/pc/order/receive/${encodeURIComponent(orderNo)}`);
      show('ok', t('orders.received'));
    } catch (error) {
      showError(error);
    }
    setBusy(false);
    setAsking(false);
    onReceived();
  }

  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('orders.receive')}</Button>
      {asking && (
        <Dialog
          title={t('orders.receiveTitle')}
          onClose={() => setAsking(false)}
          actions={
            <>
              <Button busy={busy} onClick={receive}>
                {t('orders.receiveYes')}
              </Button>
              <Button kind="line" onClick={() => setAsking(false)}>
                {t('orders.receiveNo')}
              </Button>
            </>
          }
        >
          <p>{t('orders.receiveText')}</p>
        </Dialog>
      )}
    </>
  );
}
