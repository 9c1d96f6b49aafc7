import { useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Claimable, ClaimRow } from '../api/types';
import { type ClaimStatus, claimBadge } from '../claims/status';
import { claimUrl } from '../claims/urls';
import { t } from '../i18n';
import { formatDay } from '../orders/dates';

/** Lists the claims of an order, newest first; nothing where it has none. */
export function Claims({ orderNo }: { orderNo: string }) {
  const [claims, setClaims] = useState<ClaimRow[]>([]);

  useEffect(() => {
    // The order is there without them, and all claims have a page of their own.
    call<Claimable>('GET', `/pc/order/claimable/${encodeURIComponent(orderNo)}`).then(
      (answer) => setClaims(answer.claims),
      console.warn,
    );
  }, [orderNo]);

  if (claims.length === 0) return null;
  return (
    <section className="panel stack">
      <h2>{t('claims.title')}</h2>
      <ul className="stack">
        {claims.map(({ claimNo, status, createTime }) => (
          <li className="row row--wrap" key={claimNo}>
            <a className="link num" href={claimUrl(claimNo)}>
              {t('claims.claim', { claimNo })}
            </a>
            <time className="small muted" dateTime={createTime}>
              {formatDay(createTime)}
            </time>
            <span className={`${claimBadge(status)} push`}>
              {t(`claims.status.${status as ClaimStatus}`)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
