import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { promiseFarewell } from '../farewell';
import { t } from '../i18n';
import { lang, pageUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { customer, loadCustomer } from '../stores/customer';
import { displayName, logOut } from '../stores/session';
import { Icon } from '../ui/Icon';
import type { IconName } from '../ui/icons';
import { Name } from './Name';

export type AccountPage =
  | 'details'
  | 'orders'
  | 'logistics'
  | 'reorder'
  | 'favourites'
  | 'claims'
  | 'wallet'
  | 'rewards'
  | 'addresses'
  | 'password'
  | 'privacy';

const PAGES: { page: AccountPage; path: string; icon: IconName }[] = [
  { page: 'details', path: '/home/account/accountdetails', icon: 'user-round' },
  { page: 'orders', path: '/home/account/orders', icon: 'receipt-text' },
  { page: 'logistics', path: '/home/account/logis', icon: 'truck' },
  { page: 'reorder', path: '/home/account/reorder', icon: 'shopping-cart' },
  { page: 'favourites', path: '/home/account/favourites', icon: 'heart' },
  { page: 'claims', path: '/home/account/claims', icon: 'triangle-alert' },
  { page: 'wallet', path: '/home/account/wallet', icon: 'wallet' },
  { page: 'rewards', path: '/home/account/rewards', icon: 'gift' },
  { page: 'addresses', path: '/home/account/useraddress', icon: 'map-pin' },
  { page: 'password', path: '/home/account/password', icon: 'lock' },
  { page: 'privacy', path: '/home/account/privacy', icon: 'shield-check' },
];

async function leave(): Promise<void> {
  await logOut();
  promiseFarewell();
  location.assign(pageUrl('/home'));
}

/** Moves a link into the middle of its line: on a phone the pages are in one line, whose last ones are out of
sight. */
function showInLine(link: Element): void {
  const list = link.closest('ul');
  if (!list) return;
  const [line, box] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  list.scrollLeft += box.left + box.width / 2 - (line.left + line.width / 2);
}

/** Shows who is logged in, and the navigation of the account pages. */
export function AccountSide({ page }: { page: AccountPage }) {
  useSignals();
  const who = customer.value;
  const list = useRef<HTMLUListElement>(null);

  useLayoutEffect(() => {
    const active = list.current?.querySelector('.active');
    if (active) showInLine(active);
  }, []);

  useEffect(() => {
    // Without it the card shows the name alone, and the page shows the error.
    loadCustomer().catch(console.warn);
  }, []);

  return (
    <aside className="side">
      <div className="account-head on-dark">
        <span className="av" aria-hidden="true">
          {displayName.value.slice(0, 1).toUpperCase()}
        </span>
        <span>
          <b>
            <Name text={displayName.value} />
          </b>
          <br />
          {/* An empty line is reserved for it, so that nothing moves when it loads. */}
          <small>{who ? (lang() === 'zh' ? who.levelName : who.levelNameEn) : '\u00a0'}</small>
        </span>
        <dl>
          <div>
            <dt>{t('account.wallet')}</dt>
            <dd>{who ? formatAud(toCents(who.balance)) : '…'}</dd>
          </div>
          <div>
            <dt>{t('account.points')}</dt>
            <dd>{who ? who.integral.toLocaleString('en-AU') : '…'}</dd>
          </div>
        </dl>
      </div>
      <nav aria-label={t('account.title')}>
        <ul className="f" ref={list} onFocus={(event) => showInLine(event.target)}>
          {PAGES.map(({ page: value, path, icon }) => (
            <li key={value}>
              <a
                href={pageUrl(path)}
                className={value === page ? 'active' : undefined}
                aria-current={value === page ? 'page' : undefined}
              >
                <Icon name={icon} />
                {t(`account.page.${value}`)}
              </a>
            </li>
          ))}
          <li>
            <button type="button" onClick={leave}>
              <Icon name="log-out" />
              {t('account.logOut')}
            </button>
          </li>
        </ul>
      </nav>
    </aside>
  );
}
