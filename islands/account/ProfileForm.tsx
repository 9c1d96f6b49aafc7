import { useSignals } from '@preact/signals-react/runtime';
import { type FormEvent, useState } from 'react';
import { call } from '../api/client';
import type { Customer } from '../api/types';
import { ErrorSummary, errorOf } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { type Lang, lang } from '../lang';
import { announceLanguage, thisPageIn } from '../language-switch';
import { customer } from '../stores/customer';
import { nickname, rename } from '../stores/session';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { show } from '../ui/toast';

const NICKNAME = 'profile-nickname';
const LANGUAGE = 'profile-language';

/** Changes nickname and language; a page that is in another language opens in the chosen one. */
export function ProfileForm({ who }: { who: Customer }) {
  useSignals();
  // Null for what is as it was: it follows other tabs, and is not sent.
  const [typed, setTyped] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Lang | null>(null);
  const { errors, setErrors, onChange } = useErrors();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setErrors([]);
    const name = typed?.trim();
    try {
      // JSON leaves out what is undefined.
      await call('PUT', '/pc/setting/profile', { nickname: name, language: chosen ?? undefined });
      if (name !== undefined) rename(name);
      customer.value = { ...who, nickname: name ?? who.nickname, language: chosen ?? who.language };
      setTyped(null);
      setChosen(null);
      show('ok', t('profile.saved'));
      if (chosen) {
        announceLanguage(chosen);
        if (chosen !== lang()) location.assign(thisPageIn(chosen));
      }
    } catch (error) {
      const controlOf = { nickname: NICKNAME, language: LANGUAGE };
      setErrors(serverErrors(error, controlOf, { nickname: t('profile.error.nickname') }));
    }
    setBusy(false);
  }

  return (
    <form className="panel stack" onSubmit={submit} onChange={onChange} noValidate>
      <h2>{t('profile.title')}</h2>
      <ErrorSummary errors={errors} />
      <InputField
        id={NICKNAME}
        label={t('account.nickname')}
        hint={t('profile.nicknameHint')}
        error={errorOf(errors, NICKNAME)}
        autoComplete="nickname"
        maxLength={60}
        value={typed ?? nickname.value}
        onChange={(event) => setTyped(event.target.value)}
      />
      <SelectField
        id={LANGUAGE}
        label={t('profile.language')}
        hint={t('profile.languageHint')}
        error={errorOf(errors, LANGUAGE)}
        value={chosen ?? (who.language || lang())}
        onChange={(value) => setChosen(value as Lang)}
      >
        <option value="en" lang="en">
          English
        </option>
        <option value="zh" lang="zh-Hans">
          中文
        </option>
      </SelectField>
      <div className="row row--wrap">
        <Button type="submit" kind="soft" busy={busy}>
          {t('profile.save')}
        </Button>
      </div>
    </form>
  );
}
