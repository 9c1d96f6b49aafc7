import { useSignals } from '@preact/signals-react/runtime';
import { useCallback, useEffect, useState } from 'react';
import { t } from '../i18n';
import { formatAud, toCents } from '../money';
import { readListing } from '../orders/listing';
import { customer, loadCustomer } from '../stores/customer';
import { PageLoading } from '../ui/PageLoading';
import { OpenTopUps } from './OpenTopUps';
import { Statement } from './Statement';
import { TopUp } from './TopUp';

export interface WalletProps {
  /** The most that one top-up may put into the wallet, in dollars. */
  most: number;
}

/** Shows what the customer has in the wallet, puts money into it, and lists what moved it. */
export function Wallet({ most }: WalletProps) {
  useSignals();
  const { page } = readListing(location.search);
  const [failure, setFailure] = useState<unknown>(null);
  /** Counts what has changed the balance since the page was shown. */
  const [changes, setChanges] = useState(0);
  const load = useCallback(() => {
    setFailure(null);
    loadCustomer().catch(setFailure);
  }, []);
  useEffect(load, [load]);
  useEffect(() => {
    // Restored from the back/forward cache after the gateway, the page may show a balance of before.
    const refresh = (event: PageTransitionEvent) => event.persisted && location.reload();
    window.addEventListener('pageshow', refresh);
    return () => window.removeEventListener('pageshow', refresh);
  }, []);

  const who = customer.value;
  if (failure !== null || !who) {
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
        onChange={() => {
          setChanges(changes + 1);
          load();
        }}
      />
      <TopUp most={toCents(most)} />
      <Statement key={changes} page={page} />
    </div>
  );
}
