import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { PointsPage, Rewards as RewardsOut } from '../api/types';
import { t } from '../i18n';
import { formatAud } from '../money';
import { readListing } from '../orders/listing';
import { PageLoading } from '../ui/PageLoading';
import { Level } from './Level';
import { Statement } from './Statement';
import { pointsText } from './texts';

const SIZE = 20;

function Balance({ integral, integralPending, pointsPerDollar }: RewardsOut) {
  const cents = pointsPerDollar > 0 ? Math.floor((Math.max(integral, 0) * 100) / pointsPerDollar) : 0;
  return (
    <section className="panel stack">
      <h2>{t('points.balance')}</h2>
      <p className="points-balance num">{pointsText(integral)}</p>
      {cents > 0 && <p className="soft">{t('points.worth', { amount: formatAud(cents) })}</p>}
      {cents === 0 && pointsPerDollar > 0 && (
        <p className="soft">
          {t('points.dollar', { points: pointsText(pointsPerDollar), amount: formatAud(100) })}
        </p>
      )}
      {integralPending > 0 && (
        <p>
          {t('points.pending')} <b className="num">{pointsText(integralPending)}</b>
          <br />
          <small className="muted">{t('points.pendingHint')}</small>
        </p>
      )}
    </section>
  );
}

/** Shows the customer's points, their level, and what has moved the points. */
export function Rewards() {
  const { page } = readListing(location.search);
  const [rewards, setRewards] = useState<RewardsOut | null>(null);
  const [entries, setEntries] = useState<PointsPage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    const statement = call<PointsPage>('GET', `/pc/user/integral/detailed?page=${page}&size=${SIZE}`);
    Promise.all([
      call<RewardsOut>('GET', '/pc/user/rewards').then(setRewards),
      statement.then(setEntries),
    ]).catch(setFailure);
  }, [page]);
  useEffect(load, [load]);

  if (failure !== null || !rewards || !entries) {
    return <PageLoading title={t('points.title')} error={failure} onRetry={load} lines={4} height="6rem" />;
  }
  return (
    <div className="stack">
      <h1>{t('points.title')}</h1>
      <div className="rewards">
        <Balance {...rewards} />
        <Level {...rewards} />
      </div>
      <Statement entries={entries} size={SIZE} />
    </div>
  );
}
