import { useEffect, useState } from 'react';
import type { PayResult as Answer } from '../api/types';
import { ordersUrl, orderUrl } from '../checkout/urls';
import { errorText, loadTextsOf, t } from '../i18n';
import { pageUrl } from '../lang';
import { formatAud, toCents } from '../money';
import { Instructions } from '../pay/InstructionsLater';
import { PaidPart } from '../pay/PaidPart';
import { COLLECTED_BY_STAFF } from '../pay/payTypes';
import { cleanDraft } from '../stores/checkout';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { later } from '../ui/later';
import { Notice } from '../ui/Notice';
import { pollPayment } from './poll';
import { TopUpResult } from './TopUpResult';

/** See docs/product.md#order-statuses. */
const UNPAID = 1;
const CANCELED = 10;
const ArrivalNote = later(async () => {
  await loadTextsOf('place');
  return (await import('../arrival/ArrivalNote')).ArrivalNote;
}, '1.5rem');
const Summary = later(async () => {
  await Promise.all([loadTextsOf('orders'), loadTextsOf('wishes')]);
  return (await import('./Summary')).Summary;
}, '20rem');
/** A gateway's notice usually comes within seconds; afterwards the page shows that the order is unpaid. */
const UNPAID_AFTER_MS = 6000;

export interface PayResultProps {
  /** The number of an order or a top-up. */
  id: string;
  /** That the payment failed, and what to do then: texts of this page alone, which has them written. */
  failed: string;
  advice: string;
}

/** Shows whether an order or a top-up is paid, what to do if not, and how to pay where staff collect. */
export function PayResult({ id, failed, advice }: PayResultProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [polling, setPolling] = useState(true);
  const [waiting, setWaiting] = useState(true);
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt polls again
  useEffect(() => {
    const controller = new AbortController();
    setPolling(true);
    setWaiting(true);
    setFailure(null);
    const timer = setTimeout(() => setWaiting(false), UNPAID_AFTER_MS);
    pollPayment(id, setAnswer, controller.signal)
      .catch(setFailure)
      .finally(() => !controller.signal.aborted && setPolling(false));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [id, attempt]);

  const isHeld = answer?.status === UNPAID && COLLECTED_BY_STAFF.has(answer.payType);
  useEffect(() => {
    if (answer && (answer.paid || isHeld)) cleanDraft(answer.orderNo);
  }, [answer, isHeld]);

  const checkAgain = (
    <Button kind="quiet" onClick={() => setAttempt(attempt + 1)}>
      {t('result.lookAgain')}
    </Button>
  );
  const orderLink = (
    <a className="btn btn--line" href={orderUrl(id)}>
      {t('result.seeOrder')}
    </a>
  );

  if (failure !== null) {
    return (
      <div className="stack">
        <h1>{t('result.title')}</h1>
        <Notice kind="danger" action={checkAgain}>
          {errorText(failure)}
        </Notice>
        <p>
          <a className="btn btn--line" href={ordersUrl()}>
            {t('result.backToOrders')}
          </a>
        </p>
      </div>
    );
  }

  if (answer && isHeld) {
    return (
      // Another element than that of the check, so that screen readers announce it.
      <div className="stack held" key="held">
        <h1>{t('result.placed')}</h1>
        <Instructions orderNo={id} payType={answer.payType} />
        <div className="row row--wrap">
          {orderLink}
          <a className="btn btn--quiet" href={pageUrl('/shop')}>
            {t('result.shopOn')}
          </a>
        </div>
        <Summary orderNo={id} isPaid={false} />
      </div>
    );
  }

  const isCanceled = answer?.status === CANCELED;
  const hasFailed = answer?.failed && !isCanceled;
  const isChecking = !answer?.paid && (answer === null || (polling && waiting && !hasFailed));
  const isPaidOrder = answer?.paid && !answer.isRecharge;
  return (
    <>
      <div className="empty" aria-live="polite">
        {isChecking && (
          <>
            <span className="plate">
              <span className="spinner" />
            </span>
            <h1>{t('result.checking')}</h1>
            <p>{t('result.checkingText')}</p>
          </>
        )}
        {answer?.isRecharge && !isChecking && (
          <TopUpResult
            answer={answer}
            polling={polling}
            failed={hasFailed ? failed : ''}
            checkAgain={checkAgain}
          />
        )}
        {answer && isPaidOrder && (
          <>
            <span className="plate">
              <Icon name="circle-check" />
            </span>
            <h1>{t('result.paid')}</h1>
            <p>{t('result.paidText', { orderNo: id, amount: formatAud(toCents(answer.payAmount)) })}</p>
            {answer.arrival && <ArrivalNote arrival={answer.arrival} isBooked />}
            <div className="row row--wrap">
              <a className="btn" href={pageUrl('/shop')}>
                {t('result.shopOn')}
              </a>
              {orderLink}
            </div>
          </>
        )}
        {answer && !answer.paid && !answer.isRecharge && !isChecking && (
          <>
            <span className="plate">
              <Icon name="triangle-alert" />
            </span>
            <h1>{hasFailed ? failed : t(isCanceled ? 'result.canceled' : 'result.unpaid')}</h1>
            <p>{t(isCanceled ? 'result.canceledText' : 'result.unpaidText', { orderNo: id })}</p>
            <PaidPart payAmount={answer.payAmount} leftToPay={answer.leftToPay} />
            <p className="small muted">
              {hasFailed ? advice : t(polling ? 'result.stillLooking' : 'result.stoppedLooking')}
            </p>
            <div className="row row--wrap">
              {!isCanceled && (
                <a className="btn" href={`${orderUrl(id)}#pay`}>
                  {t(hasFailed ? 'result.payAgain' : 'result.payNow')}
                </a>
              )}
              {orderLink}
              {!polling && checkAgain}
            </div>
          </>
        )}
      </div>
      {isPaidOrder && <Summary orderNo={id} isPaid />}
    </>
  );
}
