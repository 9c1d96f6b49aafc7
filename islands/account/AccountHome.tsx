import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { customer, loadCustomer } from '../stores/customer';
import { displayName } from '../stores/session';
import { PageLoading } from '../ui/PageLoading';
import { LevelPanel } from './LevelPanel';
import { Name } from './Name';
import { OrderStates } from './OrderStates';
import { ProfileForm } from './ProfileForm';

/** Shows the account's first page: orders by what comes next, then the customer, their level and other pages. */
export function AccountHome() {
  useSignals();
  const [failure, setFailure] = useState<unknown>(null);
  const load = () => {
    setFailure(null);
    loadCustomer().catch(setFailure);
  };
  useEffect(load, []);

  const who = customer.value;
  if (failure !== null || !who) {
    const title = t('account.page.details');
    return <PageLoading title={title} error={failure} onRetry={load} lines={2} height="8rem" />;
  }
  return (
    <div className="stack">
      <h1>
        <Name text={t('account.hello', { name: displayName.value })} />
      </h1>
      <OrderStates />
      <dl className="facts-list panel">
        <div>
          <dt>{t('account.account')}</dt>
          <dd className="num">{who.account}</dd>
        </div>
        <div>
          <dt>{t('account.wallet')}</dt>
          <dd className="num">
            <a className="link" href={pageUrl('/home/account/wallet')}>
              {formatAud(toCents(who.balance))}
            </a>
          </dd>
        </div>
        <div>
          <dt>{t('account.points')}</dt>
          <dd className="num">{who.integral.toLocaleString('en-AU')}</dd>
        </div>
      </dl>
      <ProfileForm who={who} />
      <LevelPanel />
      <div className="row row--wrap">
        <a className="btn btn--line" href={pageUrl('/home/account/rewards')}>
          {t('account.page.rewards')}
        </a>
        <a className="btn btn--line" href={pageUrl('/home/account/useraddress')}>
          {t('account.page.addresses')}
        </a>
        {!who.hasPayPassword && (
          <a className="btn btn--line" href={pageUrl('/home/account/password')}>
            {t('pay.savePassword')}
          </a>
        )}
      </div>
    </div>
  );
}
