import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { ClaimPage, ClaimRow } from '../api/types';
import { ordersUrl, orderUrl } from '../checkout/urls';
import { t } from '../i18n';
import { formatDay } from '../orders/dates';
import { readListing } from '../orders/listing';
import { Pager } from '../orders/Pager';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { ClaimedGoods } from './ClaimedGoods';
import { type ClaimStatus, claimBadge } from './status';
import { claimUrl } from './urls';

const SIZE = 10;

/** Shows one claim of a list. */
export function ClaimCard({ claim }: { claim: ClaimRow }) {
  const { claimNo, orderNo, status, createTime } = claim;
  return (
    <article className="order" aria-label={t('claims.claim', { claimNo })}>
      <header className="order__top">
        <b className="num">{claimNo}</b>
        <time dateTime={createTime}>{formatDay(createTime)}</time>
        <span className={`${claimBadge(status)} push`}>{t(`claims.status.${status as ClaimStatus}`)}</span>
      </header>
      <div className="order__mid">
        <ClaimedGoods goods={claim.goods} />
      </div>
      <div className="order__act">
        <p>
          <a className="link num" href={orderUrl(orderNo)}>
            {t('orders.order', { orderNo })}
          </a>
        </p>
        <a
          className={status === 'asking' ? 'btn btn--sm' : 'btn btn--sm btn--line'}
          href={claimUrl(claimNo)}
          aria-label={t(status === 'asking' ? 'claims.answerOf' : 'claims.openOf', { claimNo })}
        >
          {t(status === 'asking' ? 'claims.answer' : 'claims.open')}
        </a>
      </div>
    </article>
  );
}

/** Shows the customer's claims, newest first. */
export function ClaimList() {
  const { page } = readListing(location.search);
  const [claims, setClaims] = useState<ClaimPage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    call<ClaimPage>('GET', `/pc/claims?page=${page}&size=${SIZE}`).then(setClaims, setFailure);
  }, [page]);
  useEffect(load, [load]);

  const last = Math.max(1, Math.ceil((claims?.total ?? 0) / SIZE));
  return (
    <div className="stack">
      <h1>{t('claims.title')}</h1>
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {!claims && failure === null && <Skeleton lines={3} height="12rem" />}
      {claims?.list.map((claim) => (
        <ClaimCard key={claim.claimNo} claim={claim} />
      ))}
      {claims?.list.length === 0 && (
        <div className="empty">
          <span className="plate">
            <Icon name="circle-check" />
          </span>
          <h2>{t('claims.none')}</h2>
          <p>{t('claims.noneText')}</p>
          <a className="btn" href={ordersUrl()}>
            {t('orders.backToOrders')}
          </a>
        </div>
      )}
      {claims && <Pager page={page} last={last} urlOf={(number) => (number > 1 ? `?page=${number}` : '?')} />}
    </div>
  );
}
