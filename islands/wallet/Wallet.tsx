import { useSignals } from '@preact/signals-react/runtime';
import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Recharge, RechargePage } from '../api/types';
import { t } from '../i18n';
import { formatAud, toCents } from '../money';
import { readListing } from '../orders/listing';
import { customer, loadCustomer } from '../stores/customer';
import { PageLoading } from '../ui/PageLoading';
import { OpenTopUps } from './OpenTopUps';
import { Statement } from './Statement';
import { TopUp } from './TopUp';

/** As many as a customer may begin in a day, which is as long as a gateway keeps one open. */
const MOST_OPEN = 20;

export interface WalletProps {
  /** The most that one top-up may put into the wallet, in dollars. */
  most: number;
}

/** Shows what the customer has in the wallet, puts money into it, and lists what moved it. */
export function Wallet({ most }: WalletProps) {
  useSignals();
  const { page } = readListing(location.search);
  const [failure, setFailure] = useState<unknown>(null);
  /** The top-ups that are not paid yet: known before the rest is shown, which is below them. */
  const [open, setOpen] = useState<readonly Recharge[] | null>(null);
  const [openFailure, setOpenFailure] = useState<unknown>(null);
  /** Counts what has changed the balance since the page was shown. */
  const [changes, setChanges] = useState(0);
  const load = useCallback(() => {
    setFailure(null);
    loadCustomer().catch(setFailure);
  }, []);
  const loadOpen = useCallback(() => {
    setOpenFailure(null);
    const path = `/recharge?status=unpaid&size=${MOST_OPEN}`;
    call<RechargePage>('GET', path).then(
      ({ list }) => setOpen(list),
      (error) => {
        setOpen((known) => known ?? []);
        setOpenFailure(error);
      },
    );
  }, []);
  useEffect(load, [load]);
  useEffect(loadOpen, [loadOpen]);
  useEffect(() => {
    // Restored from the back/forward cache after the gateway, the page may show a balance of before.
    const refresh = (event: PageTransitionEvent) => event.persisted && location.reload();
    window.addEventListener('pageshow', refresh);
    return () => window.removeEventListener('pageshow', refresh);
  }, []);

  const who = customer.value;
  if (failure !== null || !who || !open) {
    return <PageLoading title={t('wallet.title')} error={failure} onRetry={load} lines={3} height="8rem" />;
  }
  return (
    <div className="stack">
      <h1>{t('wallet.title')}</h1>
      <section className="panel panel--well">
        <p className="muted">{t('wallet.balance')}</p>
        <p className="wallet__balance num">{formatAud(toCents(who.balance))}</p>
      </section>
      <OpenTopUps
        open={open}
        failure={openFailure}
        onRetry={loadOpen}
        onChange={() => {
          setChanges(changes + 1);
          load();
          loadOpen();
        }}
      />
      <TopUp most={toCents(most)} />
      <Statement key={changes} page={page} />
    </div>
  );
}
