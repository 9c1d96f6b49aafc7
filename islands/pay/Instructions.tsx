import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { OrderDetail, PayInstructions } from '../api/types';
import { slotDay, slotPeriod, slotTime } from '../checkout/slots';
import { orderUrl } from '../checkout/urls';
import { type TextKey, t } from '../i18n';
import { bothNames } from '../lang';
import { formatAud, toCents } from '../money';
import { formatTime } from '../orders/dates';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';
import { Copy } from './Copy';
import { CASH, CUSTOMER_SERVICE, payTypeName, TRANSFER } from './payTypes';

type Label =
  | 'orderNo'
  | 'reference'
  | 'amount'
  | 'where'
  | 'when'
  | 'heldUntil'
  | 'bank'
  | 'holder'
  | 'bsb'
  | 'number'
  | 'swift'
  | 'phone'
  | 'email'
  | 'wechat';

interface FactProps {
  label: Label;
  /** Nothing is shown of an empty one. */
  text: string;
  copied?: boolean;
  children?: ReactNode;
}

function Fact({ label, text, copied, children }: FactProps) {
  if (!text) return null;
  return (
    <div>
      <dt>{t(`instructions.${label}`)}</dt>
      <dd className="num">
        {children ?? text} {copied && <Copy text={text} name={t(`instructions.${label}`)} />}
      </dd>
    </div>
  );
}

function Bank({ instructions: { bank, isProven, orderNo } }: { instructions: PayInstructions }) {
  return (
    <>
      {bank ? (
        <dl className="facts-list">
          <Fact label="bank" text={bank.bank} />
          <Fact label="holder" text={bank.holder} copied />
          <Fact label="bsb" text={bank.bsb} copied />
          <Fact label="number" text={bank.number} copied />
          <Fact label="swift" text={bank.swift} copied />
        </dl>
      ) : (
        <p>{t('instructions.askForAccount')}</p>
      )}
      <p>{t(isProven ? 'instructions.proven' : 'instructions.toProve')}</p>
      <p>
        <a className="btn btn--soft" href={`${orderUrl(orderNo)}#transfer`}>
          {t(isProven ? 'instructions.proveAgain' : 'instructions.prove')}
        </a>
      </p>
    </>
  );
}

function Contact({ instructions: { phone, email, wechat, wechatQr } }: { instructions: PayInstructions }) {
  return (
    <>
      <dl className="facts-list">
        <Fact label="phone" text={phone}>
          <a className="link" href={`tel:${phone.replaceAll(' ', '')}`}>
            {phone}
          </a>
        </Fact>
        <Fact label="email" text={email}>
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>
        </Fact>
        <Fact label="wechat" text={wechat} copied />
      </dl>
      {wechatQr && (
        <img src={wechatQr} alt={t('instructions.wechatQr')} width="160" height="160" loading="lazy" />
      )}
    </>
  );
}

function lead({ payType, isPickup }: PayInstructions): TextKey {
  if (payType === CUSTOMER_SERVICE) return 'instructions.lead.service';
  if (payType === TRANSFER) return 'instructions.lead.transfer';
  return isPickup ? 'instructions.lead.inStore' : 'instructions.lead.onDelivery';
}

/** Shows where and when cash is paid, as far as that is agreed. */
function Meeting({ instructions: { shop, deliverySlot, deliveryUntil } }: { instructions: PayInstructions }) {
  if (shop) {
    return (
      <>
        <Fact label="where" text={`${bothNames(shop.shopName, shop.shopNameEn).name}, ${shop.address}`} />
        <Fact label="when" text={`${slotDay(shop.terminalDateTime)} ${slotTime(shop.terminalDateTime)}`} />
      </>
    );
  }
  if (!deliverySlot) return null;
  return (
    <Fact label="when" text={`${slotDay(deliverySlot)} ${slotPeriod(deliverySlot, deliveryUntil ?? '')}`} />
  );
}

function title(instructions: PayInstructions): string {
  // Staff have named it for deliveries as well.
  return instructions.payType === CASH && instructions.isPickup
    ? t('instructions.inStore')
    : payTypeName(instructions);
}

function Panel({ instructions }: { instructions: PayInstructions }) {
  const { payType, img, orderNo, amount, heldUntil } = instructions;
  useEffect(() => {
    // The fragment's target is rendered only now; on a phone its account would be below the window.
    if (location.hash !== '#instructions') return;
    const heading = document.getElementById('instructions-title');
    heading?.focus({ preventScroll: true });
    heading?.scrollIntoView();
  }, []);
  return (
    <section className="panel panel--well stack instructions" aria-labelledby="instructions-title">
      <h2 id="instructions-title" tabIndex={-1}>
        {title(instructions)}
      </h2>
      {img && <img src={img} alt="" width="240" height="240" />}
      <p>{t(lead(instructions))}</p>
      <dl className="facts-list">
        <Fact label={payType === TRANSFER ? 'reference' : 'orderNo'} text={orderNo} copied />
        <Fact label="amount" text={formatAud(toCents(amount))} />
        {payType === CASH && <Meeting instructions={instructions} />}
        <Fact label="heldUntil" text={heldUntil ? formatTime(heldUntil) : ''} />
      </dl>
      {payType === TRANSFER && <Bank instructions={instructions} />}
      <Contact instructions={instructions} />
    </section>
  );
}

interface Props {
  orderNo: string;
  /** They are asked for again once this is another one: its picture or what is left may have changed. */
  order?: OrderDetail;
  /** That of the skeleton, a CSS length. */
  height: string;
}

/** Shows how the money of an order reaches staff, and until when it is held (docs/wire.md#payinstructions). */
export function Instructions({ orderNo, order, height }: Props) {
  const [instructions, setTold] = useState<PayInstructions | null | undefined>();
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    const path = `/pc/pay/instructions/${encodeURIComponent(orderNo)}`;
    call<PayInstructions | null>('GET', path).then(setTold, setFailure);
  }, [orderNo]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another state of the order asks again
  useEffect(load, [load, order]);

  if (failure !== null) return <LoadFailure error={failure} onRetry={load} />;
  if (instructions === undefined) return <Skeleton lines={1} height={height} />;
  return instructions && <Panel instructions={instructions} />;
}
