import type { Shipment } from '../api/types';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { formatTime } from './dates';

/** Shows where one parcel is: its carrier, its number, and what was reported of it, the newest first. */
export function Timeline({ parcel, number, count }: { parcel: Shipment; number: number; count: number }) {
  const { carrier, carrierEn, trackingNo, trackingUrl, goods, events } = parcel;
  return (
    <article className="parcel stack" aria-label={t('orders.parcelOf', { number, count })}>
      <h3>{t('orders.parcelOf', { number, count })}</h3>
      <p className="row row--wrap small">
        <span>{bothNames(carrier, carrierEn).name}</span>
        <span className="num">{trackingNo}</span>
        {trackingUrl && (
          <a className="link" href={trackingUrl} target="_blank" rel="noreferrer">
            {t('orders.trackAtCarrier')}
          </a>
        )}
      </p>
      <ul className="small">
        {goods.map(({ goodsId, goodsName, goodsEnglishName, goodsAmount }) => (
          <li key={goodsId}>
            {goodsAmount} × {bothNames(goodsName, goodsEnglishName).name}
          </li>
        ))}
      </ul>
      {events.length === 0 ? (
        <p className="small muted">{t('orders.noNews')}</p>
      ) : (
        <ol className="timeline">
          {events.map((event, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same text may repeat, and none moves
            <li key={index}>
              <b>{bothNames(event.text, event.textEn).name}</b>
              <time className="muted small" dateTime={event.time}>
                {formatTime(event.time)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}
