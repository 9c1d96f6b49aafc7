import { useId, useState } from 'react';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { dayBefore, type Listing, listingQuery, MAX_WORD } from './listing';
import { STATUSES } from './status';

/** The periods that one press chooses, in days; 0 for all. */
const PERIODS = [0, 30, 90, 365] as const;

function periodText(days: (typeof PERIODS)[number]): string {
  if (days === 0) return t('orders.anyTime');
  return days === 365 ? t('orders.lastYear') : t('orders.lastDays', { count: days });
}

/** Searches and narrows the list of orders; each choice is an address. On a phone all but the search is folded. */
export function Filters({ listing }: { listing: Listing }) {
  const { status, word, from, to } = listing;
  const [isOpen, setOpen] = useState(false);
  const foldId = useId();
  const count = Number(status !== '') + Number(from !== '' || to !== '');
  const today = dayBefore(0);
  const isChosen = (days: number) => from === (days ? dayBefore(days) : '') && to === '';
  const hasDates = !PERIODS.some(isChosen);
  return (
    <search>
      {/* The shop refuses wrong days itself: a browser shows nothing for a field that is folded away. */}
      <form className="stack" method="get" noValidate>
        {status && <input type="hidden" name="status" value={status} />}
        <div className="row row--end">
          <InputField
            label={t('orders.search')}
            type="search"
            name="word"
            defaultValue={word}
            maxLength={MAX_WORD}
          />
          <Button type="submit" kind="line">
            {t('orders.find')}
          </Button>
        </div>
        <Button
          kind="line"
          className="fold"
          aria-expanded={isOpen}
          aria-controls={foldId}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="sliders-horizontal" />
          {count ? t('orders.filterSet', { count }) : t('orders.filter')}
        </Button>
        <div id={foldId} className={isOpen ? 'stack' : 'stack folded'}>
          <details className="dates" open={hasDates}>
            <summary className="link">{t('orders.chooseDays')}</summary>
            <div className="fields">
              <InputField label={t('orders.from')} type="date" name="from" defaultValue={from} max={today} />
              <InputField label={t('orders.to')} type="date" name="to" defaultValue={to} />
            </div>
            <Button type="submit" kind="line" size="sm">
              {t('orders.showDays')}
            </Button>
          </details>
          <nav className="chips" aria-label={t('orders.byPeriod')}>
            {PERIODS.map((days) => (
              <a
                key={days}
                className={isChosen(days) ? 'chip active' : 'chip'}
                aria-current={isChosen(days) ? 'page' : undefined}
                href={listingQuery({ status, word, from: days ? dayBefore(days) : '' })}
              >
                {periodText(days)}
              </a>
            ))}
          </nav>
          <nav className="chips" aria-label={t('orders.byStatus')}>
            {(['', ...STATUSES] as const).map((value) => (
              <a
                key={value}
                className={value === status ? 'chip active' : 'chip'}
                aria-current={value === status ? 'page' : undefined}
                href={listingQuery({ ...listing, status: value, page: 1 })}
              >
                {t(`orders.status.${value || 'all'}`)}
              </a>
            ))}
          </nav>
        </div>
      </form>
    </search>
  );
}
