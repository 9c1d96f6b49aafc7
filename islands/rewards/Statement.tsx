import type { PointsPage } from '../api/types';
import { orderUrl } from '../checkout/urls';
import { t } from '../i18n';
import { formatTime } from '../orders/dates';
import { listingQuery } from '../orders/listing';
import { Pager } from '../orders/Pager';
import { pointsText, reasonText } from './texts';

interface Props {
  entries: PointsPage;
  /** Entries of a page. */
  size: number;
}

const signed = (points: number) => `${points < 0 ? '−' : '+'}${pointsText(Math.abs(points))}`;

/** Lists what has moved the points, newest first, with the balance after each. */
export function Statement({ entries: { list, total, page }, size }: Props) {
  return (
    <section className="panel stack">
      <h2>{t('points.statement')}</h2>
      {list.length === 0 && <p className="soft">{t('points.none')}</p>}
      {list.length > 0 && (
        <table className="statement">
          <thead>
            <tr>
              <th scope="col">{t('points.what')}</th>
              <th scope="col">{t('points.change')}</th>
              <th scope="col">{t('points.after')}</th>
            </tr>
          </thead>
          <tbody>
            {list.map(({ id, integral, balance, reason, orderNo, createTime }) => (
              <tr key={id}>
                <th scope="row">
                  {reasonText(reason)}
                  <small className="muted">
                    <time dateTime={createTime}>{formatTime(createTime)}</time>
                  </small>
                  {orderNo && (
                    <span className="statement__source">
                      <a className="link small" href={orderUrl(orderNo)}>
                        {t('points.order', { orderNo })}
                      </a>
                    </span>
                  )}
                </th>
                <td className={integral > 0 ? 'num statement__in' : 'num'}>{signed(integral)}</td>
                <td className="num">{pointsText(balance)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pager
        page={page}
        last={Math.max(1, Math.ceil(total / size))}
        urlOf={(number) => listingQuery({ status: '', word: '', page: number })}
      />
    </section>
  );
}
