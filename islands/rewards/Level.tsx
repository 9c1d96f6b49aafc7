import type { Rewards } from '../api/types';
import { t } from '../i18n';
import { formatAud, toCents } from '../money';
import { levelName, rateText } from './texts';

function Next({ isFixed, nextLevel, missing, spent }: Rewards) {
  if (isFixed) return <p className="soft">{t('points.fixed')}</p>;
  if (!nextLevel) return <p className="soft">{t('points.highest')}</p>;
  const level = levelName(nextLevel);
  if (missing <= 0) return <p className="soft">{t('points.reached', { level })}</p>;
  const text = t('points.missing', {
    amount: formatAud(toCents(missing)),
    level,
    rate: rateText(nextLevel.pointsRate),
  });
  return (
    <p className="level-progress">
      <progress max={toCents(spent) + toCents(missing)} value={toCents(spent)} aria-label={text} />
      {text}
    </p>
  );
}

/** Shows the customer's level, what it gives, and what is missing to the next one. */
export function Level(rewards: Rewards) {
  const { level, hasMemberPrices, spent } = rewards;
  return (
    <section className="panel stack">
      <h2>{t('points.level', { level: levelName(level) })}</h2>
      <dl className="facts-list">
        <div>
          <dt>{t('points.rate')}</dt>
          <dd className="num">{rateText(level.pointsRate)}</dd>
        </div>
        <div>
          <dt>{t('points.memberPrices')}</dt>
          <dd>{t(hasMemberPrices ? 'points.memberPricesYes' : 'points.memberPricesNo')}</dd>
        </div>
        <div>
          <dt>{t('points.spent')}</dt>
          <dd className="num">{formatAud(toCents(spent))}</dd>
        </div>
      </dl>
      <Next {...rewards} />
    </section>
  );
}
