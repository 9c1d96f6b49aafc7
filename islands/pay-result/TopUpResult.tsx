import type { ReactNode } from 'react';
import type { PayResult as Answer } from '../api/types';
import { t } from '../i18n';
import { pageUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { Icon } from '../ui/Icon';

interface Props {
  answer: Answer;
  /** Whether its money is still looked for. */
  polling: boolean;
  /** That it failed; empty where it did not. */
  failed: string;
  checkAgain: ReactNode;
}

/** Shows whether a top-up is in the wallet, with a link to it. */
export function TopUpResult({ answer, polling, failed, checkAgain }: Props) {
  const { paid, orderNo: number } = answer;
  const amount = formatAud(toCents(answer.payAmount));
  const unpaidText = failed ? 'result.topUp.failedText' : 'result.topUp.unpaidText';
  return (
    <>
      <span className="plate">
        <Icon name={paid ? 'circle-check' : 'triangle-alert'} />
      </span>
      <h1>{paid ? t('result.topUp.paid') : failed || t('result.topUp.unpaid')}</h1>
      <p>{t(paid ? 'result.topUp.paidText' : unpaidText, { number, amount })}</p>
      {!paid && !failed && (
        <p className="small muted">{t(polling ? 'result.stillLooking' : 'result.stoppedLooking')}</p>
      )}
      <div className="row row--wrap">
        <a className="btn" href={pageUrl('/home/account/wallet')}>
          {t('result.topUp.toWallet')}
        </a>
        {!paid && !polling && checkAgain}
      </div>
    </>
  );
}
