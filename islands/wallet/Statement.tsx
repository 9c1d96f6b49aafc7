import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { BalanceEntry, BalancePage } from '../api/types';
import { orderUrl, payResultUrl } from '../checkout/urls';
import { type TextKey, t } from '../i18n';
import { formatAud, toCents } from '../money';
import { formatTime } from '../orders/dates';
import { listingQuery, pagerNumbers } from '../orders/listing';
import { Icon } from '../ui/Icon';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';

const SIZE = 20;

/** The reasons of entries, as the wire has them in every language (docs/wire.md#histories). */
const REASONS: Readonly<Record<string, TextKey>> = {
  期初余额: 'wallet.reason.opening',
  订单付款: 'wallet.reason.payment',
  退款: 'wallet.reason.refund',
  充值: 'wallet.reason.recharge',
  管理员调整: 'wallet.reason.adjustment',
  争议解除返还余额: 'wallet.reason.disputeOver',
  撤销结算扣回余额: 'wallet.reason.chargeback',
  银行撤回款项: 'wallet.reason.dispute',
};

/** Gives a reason in the page's language; an unknown one is shown unchanged. */
function reasonText(reason: string): string {
  const key = REASONS[reason];
  return key ? t(key) : reason;
}

/** Links to what an entry belongs to. */
function Source({ entry: { orderNo, rechargeNo } }: { entry: BalanceEntry }) {
  if (orderNo) {
    return (
      <a className="link small" href={orderUrl(orderNo)}>
        {t('wallet.orderLink', { number: orderNo })}
      </a>
    );
  }
  if (!rechargeNo) return null;
  return (
    <a className="link small" href={payResultUrl(rechargeNo)}>
      {t('wallet.topUpLink', { number: rechargeNo })}
    </a>
  );
}

function Row({ entry }: { entry: BalanceEntry }) {
  const cents = toCents(entry.amount);
  return (
    <tr>
      <th scope="row">
        {reasonText(entry.reason)}
        <small className="muted">
          <time dateTime={entry.createTime}>{formatTime(entry.createTime)}</time>
        </small>
        <span className="statement__source">
          <Source entry={entry} />
        </span>
      </th>
      <td className={cents > 0 ? 'num statement__in' : 'num'}>
        {cents > 0 ? '+' : ''}
        {formatAud(cents)}
      </td>
      <td className="num">{formatAud(toCents(entry.balance))}</td>
    </tr>
  );
}

/** Lists what moved the wallet, newest first, each with the balance after it. */
export function Statement({ page }: { page: number }) {
  const [entries, setEntries] = useState<BalancePage | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    const path = `/pc/user/balance/detailed?page=${page}&size=${SIZE}`;
    call<BalancePage>('GET', path).then(setEntries, setFailure);
  }, [page]);
  useEffect(load, [load]);

  const last = Math.max(1, Math.ceil((entries?.total ?? 0) / SIZE));
  return (
    <section className="panel stack" aria-labelledby="statement-title">
      <h2 id="statement-title">{t('wallet.statement')}</h2>
      {failure !== null && <LoadFailure error={failure} onRetry={load} />}
      {!entries && failure === null && <Skeleton lines={4} />}
      {entries?.list.length === 0 && (
        <div className="empty">
          <span className="plate">
            <Icon name="wallet" />
          </span>
          <p>{t('wallet.none')}</p>
        </div>
      )}
      {entries && entries.list.length > 0 && (
        <table className="statement">
          <thead>
            <tr>
              <th scope="col">{t('wallet.entry')}</th>
              <th scope="col">{t('wallet.moved')}</th>
              <th scope="col">{t('wallet.after')}</th>
            </tr>
          </thead>
          <tbody>
            {entries.list.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
      {last > 1 && (
        <nav className="pager" aria-label={t('wallet.pages')}>
          {pagerNumbers(page, last).map((number) => (
            <a
              key={number}
              href={listingQuery({ status: '', word: '', page: number })}
              aria-current={number === page ? 'page' : undefined}
              aria-label={t('wallet.page', { number })}
            >
              {number}
            </a>
          ))}
        </nav>
      )}
    </section>
  );
}
