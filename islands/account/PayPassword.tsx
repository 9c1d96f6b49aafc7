import { useSignals } from '@preact/signals-react/runtime';
import { useEffect, useState } from 'react';
import { t } from '../i18n';
import { PayPasswordForm } from '../pay/PayPasswordForm';
import { customer, loadCustomer } from '../stores/customer';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { show, showError } from '../ui/toast';

/** Sets the pay password, or changes it with the old one, or with a code when the old one is forgotten. */
export function PayPassword() {
  useSignals();
  const [failure, setFailure] = useState<unknown>(null);
  const [forgotten, setForgotten] = useState(false);
  const [round, setRound] = useState(0);
  const load = () => {
    setFailure(null);
    loadCustomer().catch(setFailure);
  };
  useEffect(load, []);

  function done() {
    show('ok', t('pay.passwordSaved'));
    setForgotten(false);
    setRound(round + 1);
    loadCustomer().catch(showError);
  }

  const heading = <h2>{t('pay.payPassword')}</h2>;
  if (failure !== null || !customer.value) {
    return (
      <section className="panel stack">
        {heading}
        {failure === null ? (
          <Skeleton lines={1} height="23rem" />
        ) : (
          <LoadFailure error={failure} onRetry={load} />
        )}
      </section>
    );
  }
  const { hasPayPassword } = customer.value;
  const proof = hasPayPassword && !forgotten ? 'oldPassword' : 'code';
  return (
    <section className="panel stack">
      {heading}
      <p className="soft">{t(hasPayPassword ? 'pay.passwordText' : 'pay.noPassword')}</p>
      <PayPasswordForm key={`${proof}${round}`} proof={proof} onDone={done} />
      {hasPayPassword && (
        <p>
          <button type="button" className="link small" onClick={() => setForgotten(!forgotten)}>
            {t(forgotten ? 'pay.rememberPassword' : 'pay.forgotPassword')}
          </button>
        </p>
      )}
    </section>
  );
}
