import { useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import type { Session } from '../api/types';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { enter } from '../stores/login';
import { account } from '../stores/session';
import { CARTS, countOf, readRunningPromotions, readSnapshot } from '../stores/snapshot';
import { Icon } from '../ui/Icon';
import { show } from '../ui/toast';
import { LoginForm } from './LoginForm';
import { type NewPassword, NewPasswordForm } from './NewPasswordForm';
import { reasonToLogIn } from './reason';
import { safeRedirect } from './redirect';

type Mode = 'login' | 'register' | 'reset';

const modeOf = (hash: string): Mode =>
  hash === '#register' ? 'register' : hash === '#reset' ? 'reset' : 'login';

/** Counts the units of all carts, those of promotions that have ended left out. */
function unitsInCarts(): number {
  const lines = CARTS.flatMap((name) => readSnapshot(name).lines);
  return countOf([...lines, ...readRunningPromotions().flatMap(({ shoppingCart }) => shoppingCart)]);
}

/** Gives the form that the URL's hash names, so that Back works between the forms. */
function useMode(): Mode {
  const [mode, setMode] = useState(modeOf(location.hash));
  useEffect(() => {
    const follow = () => setMode(modeOf(location.hash));
    window.addEventListener('hashchange', follow);
    return () => window.removeEventListener('hashchange', follow);
  }, []);
  return mode;
}

/**
 * Shows login, registration and password reset; after a login the customer goes to where they wanted.
 *
 * See docs/product.md#pages.
 */
export function LoginPage({ smsCountries }: { smsCountries: string[] }) {
  const mode = useMode();
  const asked = new URLSearchParams(location.search).get('redirect');
  const target = safeRedirect(asked, pageUrl('/home'), location.origin);
  const waiting = unitsInCarts();
  /** Whose password was set here. */
  const [known, setKnown] = useState('');
  const isEntering = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const modeBefore = useRef(mode);

  // What was pressed has gone with its form, unless it is one of the tabs.
  useEffect(() => {
    if (modeBefore.current !== mode && document.activeElement === document.body) heading.current?.focus();
    modeBefore.current = mode;
  }, [mode]);

  // A customer who has logged in in another tab needs no form any more.
  useEffect(() => {
    const follow = () => {
      if (account.peek() && !isEntering.current) location.replace(target);
    };
    document.addEventListener('shop:session', follow);
    return () => document.removeEventListener('shop:session', follow);
  }, [target]);

  async function begin(session: Session) {
    isEntering.current = true;
    await enter(session);
    location.replace(target);
  }

  async function register(entry: NewPassword) {
    await begin(await call<Session>('POST', '/pc/register', entry));
  }

  async function reset(entry: NewPassword) {
    await call('POST', '/pc/resetPassword', entry);
    setKnown(entry.account);
    show('ok', t('login.passwordSet'));
    location.hash = '#login';
  }

  const tab = (value: Mode) =>
    ({
      href: `#${value}`,
      className: mode === value ? 'active' : undefined,
      'aria-current': mode === value ? 'page' : undefined,
    }) as const;

  return (
    <div className="stack">
      <div className="stack">
        <h1 ref={heading} tabIndex={-1}>
          {t(`login.title.${mode}`)}
        </h1>
        {asked && mode !== 'reset' && <p className="muted">{t(`login.reason.${reasonToLogIn(target)}`)}</p>}
        {mode === 'reset' && <p className="muted">{t('login.resetText')}</p>}
      </div>
      <nav className="switch" aria-label={t('login.switch')}>
        <a {...tab('login')}>{t('login.logIn')}</a>
        <a {...tab('register')}>{t('login.register')}</a>
      </nav>
      {mode === 'login' && <LoginForm initialAccount={known} onSession={begin} />}
      {mode === 'register' && (
        <NewPasswordForm key="register" purpose="register" smsCountries={smsCountries} onSubmit={register} />
      )}
      {mode === 'reset' && (
        <NewPasswordForm key="reset" purpose="reset" smsCountries={smsCountries} onSubmit={reset} />
      )}
      {mode === 'login' && (
        <p className="small">
          <a className="link" href="#reset">
            {t('login.forgot')}
          </a>
        </p>
      )}
      {mode !== 'reset' && waiting > 0 && (
        <p className="notice">
          <Icon name="shopping-cart" />
          <span>{t('login.cartComesWithYou', { count: waiting })}</span>
        </p>
      )}
    </div>
  );
}
