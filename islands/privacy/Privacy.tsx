import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Consent, Deletion } from '../api/types';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { PageLoading } from '../ui/PageLoading';
import { ConsentPanel } from './ConsentPanel';
import { CopyPanel } from './CopyPanel';
import { DeletionPanel } from './DeletionPanel';

/** Shows what a customer decides about their data: news and offers, a copy, the end of the account. */
export function Privacy() {
  const [consent, setConsent] = useState<Consent | null>(null);
  const [deletion, setDeletion] = useState<Deletion | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const loadDeletion = useCallback(() => call<Deletion>('GET', '/pc/setting/deletion').then(setDeletion), []);
  const load = useCallback(() => {
    setFailure(null);
    Promise.all([call<Consent>('GET', '/pc/setting/consent').then(setConsent), loadDeletion()]).catch(
      setFailure,
    );
  }, [loadDeletion]);
  useEffect(load, [load]);

  if (failure !== null || !consent || !deletion) {
    return <PageLoading title={t('privacy.title')} error={failure} onRetry={load} lines={3} height="9rem" />;
  }
  return (
    <div className="stack">
      <h1>{t('privacy.title')}</h1>
      <ConsentPanel consent={consent} onChange={setConsent} />
      <CopyPanel />
      <DeletionPanel deletion={deletion} onBlocked={loadDeletion} />
      <p>
        <a className="link" href={pageUrl('/home/privacyPolicy')}>
          {t('privacy.policy')}
        </a>
      </p>
    </div>
  );
}
