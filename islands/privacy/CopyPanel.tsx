import { type FormEvent, useState } from 'react';
import { call } from '../api/client';
import type { MyData } from '../api/types';
import { ErrorSummary, errorOf } from '../form/ErrorSummary';
import { PasswordField } from '../form/PasswordField';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { Button } from '../ui/Button';
import { show } from '../ui/toast';
import { saveFile } from './save';

const PASSWORD = 'copy-password';
type Format = 'html' | 'json';

/** Gives the customer a copy of what the shop holds on them, after the login password. */
export function CopyPanel() {
  const [password, setPassword] = useState('');
  const [busy, setBusy] = useState<Format | null>(null);
  const { errors, setErrors, onChange } = useErrors();

  async function download(format: Format) {
    if (busy) return;
    setErrors([]);
    if (!password) return setErrors([{ id: PASSWORD, text: t('privacy.copy.error') }]);
    setBusy(format);
    try {
      const file = await call<MyData>('POST', '/pc/setting/myData', { password, format });
      saveFile(file.fileName, file.contentType, file.content);
      show('ok', t('privacy.copy.saved', { name: file.fileName }));
    } catch (error) {
      setErrors(serverErrors(error, { password: PASSWORD }, { password: t('privacy.copy.error') }));
    }
    setBusy(null);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void download('html');
  }

  return (
    <section className="panel stack" aria-labelledby="copy-title">
      <h2 id="copy-title">{t('privacy.copy.title')}</h2>
      <p className="soft">{t('privacy.copy.text')}</p>
      <form className="stack" onSubmit={submit} onChange={onChange} noValidate>
        <ErrorSummary errors={errors} />
        <PasswordField
          id={PASSWORD}
          label={t('privacy.copy.password')}
          value={password}
          onChange={setPassword}
          error={errorOf(errors, PASSWORD)}
          autoComplete="current-password"
        />
        <div className="row row--wrap">
          <Button type="submit" busy={busy === 'html'}>
            {t('privacy.copy.read')}
          </Button>
          <Button kind="line" busy={busy === 'json'} onClick={() => void download('json')}>
            {t('privacy.copy.json')}
          </Button>
        </div>
        <StillWorking busy={busy !== null} />
      </form>
    </section>
  );
}
