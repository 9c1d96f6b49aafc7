import { type FormEvent, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { call, ShopError } from '../api/client';
import type { Deletion } from '../api/types';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { PasswordField } from '../form/PasswordField';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { bothNames, pageUrl } from '../lang';
import { endSession } from '../stores/session';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { Notice } from '../ui/Notice';

const PASSWORD = 'deletion-password';
const SURE = 'deletion-sure';
const GOES = ['account', 'addresses', 'orders', 'messages'] as const;

interface Props {
  deletion: Deletion;
  /** Asks again what is open, if the server answers that something is. */
  onBlocked: () => Promise<void>;
}

function Obstacles({ obstacles }: Pick<Deletion, 'obstacles'>) {
  return (
    <Notice kind="warn">
      {t('privacy.deletion.blocked')}
      <ul>
        {obstacles.map(({ text, textEn, path }) => (
          <li key={textEn}>
            {bothNames(text, textEn).name}{' '}
            {path && (
              <a
                className="link"
                href={pageUrl(path)}
                aria-label={t('privacy.deletion.seeNamed', { name: bothNames(text, textEn).name })}
              >
                {t('privacy.deletion.see')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Deletes the customer's account, after showing what goes and what stays, and after the login password. */
export function DeletionPanel({ deletion, onBlocked }: Props) {
  const [open, setOpen] = useState(false);
  const [done, setDone] = useState(false);
  const [password, setPassword] = useState('');
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const { errors, setErrors, onChange } = useErrors();
  const { obstacles, points, recordYears } = deletion;
  const heading = useRef<HTMLHeadingElement>(null);
  const wasOpen = useRef(open);

  // The pressed button has gone with what it was in.
  useEffect(() => {
    if (open !== wasOpen.current) heading.current?.focus();
    wasOpen.current = open;
  }, [open]);

  function move(isOpen: boolean) {
    setErrors([]);
    setOpen(isOpen);
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const missing: FormError[] = [];
    if (!password) missing.push({ id: PASSWORD, text: t('privacy.copy.error') });
    if (!sure) missing.push({ id: SURE, text: t('privacy.deletion.sureError') });
    setErrors(missing);
    if (missing.length) return;
    setBusy(true);
    try {
      await call('POST', '/pc/setting/deletion', { password });
      setDone(true);
      endSession();
    } catch (error) {
      if (error instanceof ShopError && error.reason === 'deletion_blocked')
        await onBlocked().catch(console.warn);
      setErrors(serverErrors(error, { password: PASSWORD }, { password: t('privacy.copy.error') }));
    }
    setBusy(false);
  }

  const goHome = () => location.replace(pageUrl('/home'));
  return (
    <section className="panel stack" aria-labelledby="deletion-title">
      <h2 id="deletion-title" ref={heading} tabIndex={-1}>
        {t('privacy.deletion.title')}
      </h2>
      {obstacles.length === 0 && <p className="soft">{t('privacy.deletion.text')}</p>}
      {obstacles.length > 0 ? (
        <Obstacles obstacles={obstacles} />
      ) : !open ? (
        <p>
          <Button kind="line" onClick={() => move(true)}>
            {t('privacy.deletion.begin')}
          </Button>
        </p>
      ) : (
        <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
          <h3>{t('privacy.deletion.goes')}</h3>
          <ul>
            {GOES.map((what) => (
              <li key={what}>{t(`privacy.deletion.goesList.${what}`)}</li>
            ))}
          </ul>
          <h3>{t('privacy.deletion.stays')}</h3>
          <p>{t('privacy.deletion.staysText', { count: recordYears })}</p>
          <p>{t('privacy.deletion.staysHash')}</p>
          {points > 0 && <Notice kind="warn">{t('privacy.deletion.points', { count: points })}</Notice>}
          <ErrorSummary errors={errors} />
          <PasswordField
            id={PASSWORD}
            label={t('privacy.deletion.password')}
            value={password}
            onChange={setPassword}
            error={errorOf(errors, PASSWORD)}
            autoComplete="current-password"
          />
          <label className="check" htmlFor={SURE}>
            <input
              id={SURE}
              type="checkbox"
              checked={sure}
              aria-invalid={errorOf(errors, SURE) ? true : undefined}
              onChange={(event) => setSure(event.target.checked)}
            />
            {t('privacy.deletion.sure')}
          </label>
          <div className="row row--wrap">
            <Button type="submit" kind="line" busy={busy}>
              {t('privacy.deletion.confirm')}
            </Button>
            <Button kind="quiet" onClick={() => move(false)}>
              {t('privacy.deletion.keep')}
            </Button>
          </div>
          <StillWorking busy={busy} />
        </form>
      )}
      {done &&
        // Outside the island, which is hidden once no customer is logged in.
        createPortal(
          <Dialog
            title={t('privacy.deletion.done')}
            onClose={goHome}
            actions={<Button onClick={goHome}>{t('privacy.deletion.home')}</Button>}
          >
            <p>{t('privacy.deletion.doneText')}</p>
          </Dialog>,
          document.body,
        )}
    </section>
  );
}
