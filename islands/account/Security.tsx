import { useState } from 'react';
import { t } from '../i18n';
import { Devices } from './Devices';
import { LoginPassword } from './LoginPassword';
import { PayPassword } from './PayPassword';

/** Shows what keeps an account safe: both passwords, and where the customer is logged in. */
export function Security() {
  const [round, setRound] = useState(0);
  return (
    <div className="stack">
      <h1>{t('account.page.password')}</h1>
      <LoginPassword onChanged={() => setRound(round + 1)} />
      <PayPassword />
      <Devices key={round} />
    </div>
  );
}
