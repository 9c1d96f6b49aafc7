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
import { Agreement } from './Agreement';
import { CodeLoginForm } from './CodeLoginForm';
import { LoginForm } from './LoginForm';
import { type NewPassword, NewPasswordForm } from './NewPasswordForm';
import { reasonToLogIn } from './reason';
import { safeRedirect } from './redirect';
import { Welcome } from './Welcome';

type Mode = 'login' | 'code' | 'register' | 'reset';

const MODES: readonly string[] = ['code', 'register', 'reset'] satisfies Mode[];

const modeOf = (hash: string): Mode => (MODES.includes(hash.slice(1)) ? (hash.slice(1) as Mode) : 'login');

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

export interface LoginPageProps {
  /** The countries that codes are sent to by SMS, by their two letters. */
  smsCountries: string[];
  /** The path of the terms of sale; empty if editors have no such page. */
  terms: string;
}

/**
 * Shows login, registration and password reset; after a login the customer goes to where they wanted.
 *
 * See docs/product.md#pages.
 */
export function LoginPage({ smsCountries, terms }: LoginPageProps) {
  const mode = useMode();
  const asked = new URLSearchParams(location.search).get('redirect');
  const target = safeRedirect(asked, pageUrl('/home'), location.origin);
  const waiting = unitsInCarts();
  /** Whose password was set here. */
  const [known, setKnown] = useState('');
  const [isNew, setNew] = useState(false);
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
    const session = await call<Session>('POST', '/pc/register', entry);
    // Who came from the checkout or another page goes on there.
    if (asked) return await begin(session);
    isEntering.current = true;
    await enter(session);
    setNew(true);
  }

  async function reset(entry: NewPassword) {
    await call('POST', '/pc/resetPassword', entry);
    setKnown(entry.account);
    show('ok', t('login.passwordSet'));
    location.hash = '#login';
  }

  const tab = (value: Mode, isActive: boolean) =>
    ({
      href: `#${value}`,
      className: isActive ? 'active' : undefined,
      'aria-current': isActive ? 'page' : undefined,
    }) as const;

  if (isNew) return <Welcome target={target} />;

  return (
    <div className="stack">
      <div className="stack">
        <h1 ref={heading} tabIndex={-1}>
          {t(`login.title.${mode}`)}
        </h1>
        {asked && mode !== 'reset' && <p className="muted">{t(`login.reason.${reasonToLogIn(target)}`)}</p>}
        {mode === 'code' && <p className="muted">{t('login.codeText')}</p>}
        {mode === 'reset' && <p className="muted">{t('login.resetText')}</p>}
      </div>
      <nav className="switch" aria-label={t('login.switch')}>
        <a {...tab('login', mode === 'login' || mode === 'code')}>{t('login.logIn')}</a>
        <a {...tab('register', mode === 'register')}>{t('login.register')}</a>
      </nav>
      {mode === 'login' && <LoginForm initialAccount={known} onSession={begin} />}
      {mode === 'code' && <CodeLoginForm smsCountries={smsCountries} onSession={begin} />}
      {mode === 'register' && (
        <>
          <NewPasswordForm
            key="register"
            purpose="register"
            smsCountries={smsCountries}
            onSubmit={register}
          />
          <Agreement terms={terms} />
        </>
      )}
      {mode === 'reset' && (
        <NewPasswordForm key="reset" purpose="reset" smsCountries={smsCountries} onSubmit={reset} />
      )}
      {(mode === 'login' || mode === 'code') && (
        <p>
          <a className="link" href={mode === 'login' ? '#code' : '#login'}>
            {t(mode === 'login' ? 'login.byCode' : 'login.byPassword')}
          </a>
        </p>
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
