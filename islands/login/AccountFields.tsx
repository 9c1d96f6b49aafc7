import { useEffect, useState } from 'react';
import { type Country, loadCountries } from '../addresses/regions';
import { SelectField } from '../form/SelectField';
import { t } from '../i18n';
import { lang } from '../lang';
import { InputField } from '../ui/Field';
import { type AccountKind, kindOf, mobileAccount } from './account';

const AUSTRALIA: Country = {
  short: 'AU',
  name: '澳大利亚',
  en: 'Australia',
  tel: '61',
  pinyin: 'aodaliya',
  featured: true,
};

interface Props {
  id: string;
  error?: string;
  /** The whole account to begin with; read once. */
  initial?: string;
  /** The countries whose mobile numbers can be chosen, by their two letters. */
  smsCountries: readonly string[];
  /** Called with the kind and the whole account whenever either changes. */
  onChange: (kind: AccountKind, account: string) => void;
}

/** Asks how to reach a customer: an e-mail address, or a mobile number with its country. */
export function AccountFields({ id, error, initial = '', smsCountries, onChange }: Props) {
  const [kind, setKind] = useState<AccountKind>(() => kindOf(initial));
  const [countries, setCountries] = useState<Country[]>([AUSTRALIA]);
  const [country, setCountry] = useState(AUSTRALIA.short);
  const [typed, setTyped] = useState(() => ({ email: '', mobile: '', [kindOf(initial)]: initial }));

  useEffect(() => {
    // If the list fails Australia stays the only choice; other numbers can be typed with "+".
    loadCountries().then((all) => {
      const offered = all.filter(({ short }) => smsCountries.includes(short));
      const [first] = offered;
      if (!first) return;
      setCountries(offered);
      if (!smsCountries.includes(AUSTRALIA.short)) setCountry(first.short);
    }, console.warn);
  }, [smsCountries]);

  function update(next: { kind?: AccountKind; country?: string; typed?: string }) {
    const now = { kind: next.kind ?? kind, country: next.country ?? country };
    const texts = next.typed === undefined ? typed : { ...typed, [now.kind]: next.typed };
    setKind(now.kind);
    setCountry(now.country);
    setTyped(texts);
    const dialCode = countries.find((row) => row.short === now.country)?.tel ?? AUSTRALIA.tel;
    onChange(now.kind, now.kind === 'email' ? texts.email.trim() : mobileAccount(dialCode, texts.mobile));
  }

  const nameOf = (row: Country) => `${lang() === 'zh' ? row.name : row.en} +${row.tel}`;
  return (
    <>
      <fieldset className="row row--wrap row--apart">
        <legend className="vh">{t('login.registerWith')}</legend>
        {(['email', 'mobile'] as const).map((value) => (
          <label className="check" key={value}>
            <input
              type="radio"
              name={`${id}-kind`}
              checked={kind === value}
              onChange={() => update({ kind: value })}
            />
            {t(`login.${value}`)}
          </label>
        ))}
      </fieldset>
      {kind === 'email' ? (
        <InputField
          id={id}
          label={t('login.emailAddress')}
          error={error}
          type="email"
          autoComplete="username"
          value={typed.email}
          onChange={(event) => update({ typed: event.target.value })}
          full
        />
      ) : (
        <>
          <SelectField
            id={`${id}-country`}
            label={t('login.dialCode')}
            value={country}
            onChange={(value) => update({ country: value })}
            autoComplete="tel-country-code"
            full
          >
            {countries.map((row) => (
              <option key={row.short} value={row.short}>
                {nameOf(row)}
              </option>
            ))}
          </SelectField>
          <InputField
            id={id}
            label={t('login.mobileNumber')}
            error={error}
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            value={typed.mobile}
            onChange={(event) => update({ typed: event.target.value })}
            full
          />
        </>
      )}
    </>
  );
}
