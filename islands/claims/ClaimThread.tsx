import { type FormEvent, useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Claim } from '../api/types';
import { orderUrl } from '../checkout/urls';
import { ErrorSummary, errorOf } from '../form/ErrorSummary';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { formatTime } from '../orders/dates';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { PageLoading } from '../ui/PageLoading';
import { show } from '../ui/toast';
import { ClaimedGoods } from './ClaimedGoods';
import { PictureField } from './PictureField';
import { upload } from './pictures';
import { type ClaimStatus, claimBadge, isOpen } from './status';
import { TextArea } from './TextArea';
import { claimsUrl } from './urls';

const TEXT_ID = 'reply-text';
const PICTURES_ID = 'reply-pictures';

/** Shows what comes next, or how the claim has ended. */
function State({ status }: { status: ClaimStatus }) {
  const kind = ({ asking: 'warn', refund: 'ok', replacement: 'ok', settled: 'ok' } as const)[
    status as 'asking'
  ];
  return <Notice kind={kind}>{t(`claims.next.${status}`)}</Notice>;
}

type Message = Claim['messages'][number];

function Pictures({ images }: Pick<Message, 'images'>) {
  const shown = images.filter((url) => url !== null);
  return (
    <>
      {shown.map((url, index) => (
        <a key={url} href={url} target="_blank" rel="noreferrer">
          <img
            className="receipt receipt--small"
            src={url}
            alt={t('claims.yourPicture', { number: index + 1 })}
          />
        </a>
      ))}
      {shown.length < images.length && <small className="muted">{t('claims.pictureDeleted')}</small>}
    </>
  );
}

function OneMessage({ message }: { message: Message }) {
  const { isMine, text, createTime, images } = message;
  return (
    <li>
      <b>{t(isMine ? 'claims.you' : 'claims.shop')}</b>
      <time className="muted small" dateTime={createTime}>
        {formatTime(createTime)}
      </time>
      <p className="remark">{text}</p>
      {images.length > 0 && (
        <div className="row row--wrap">
          <Pictures images={images} />
        </div>
      )}
    </li>
  );
}

interface ReplyProps {
  claim: Claim;
  onReplied: (claim: Claim) => void;
  /** Called where the server has refused the reply: the claim may have moved on. */
  onRefused: () => void;
}

function Reply({ claim: { claimNo, status }, onReplied, onRefused }: ReplyProps) {
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const { errors, setErrors, drop, onChange } = useErrors();

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!text.trim()) return setErrors([{ id: TEXT_ID, text: t('claims.missingReply') }]);
    setBusy(true);
    setErrors([]);
    try {
      const images = await upload(files);
      const path = `/pc/claims/${encodeURIComponent(claimNo)}/reply`;
      onReplied(await call<Claim>('POST', path, { text, images }));
      setText('');
      setFiles([]);
      show('ok', t('claims.replied'));
    } catch (error) {
      const controls = { text: TEXT_ID, images: PICTURES_ID, file: PICTURES_ID };
      const texts = { images: t('claims.pictureGone'), text: t('claims.threadFull') };
      setErrors(serverErrors(error, controls, texts));
      onRefused();
    }
    setBusy(false);
  }

  return (
    <form className="panel stack" onSubmit={send} onChange={onChange} noValidate>
      <h2>{t(status === 'asking' ? 'claims.answerTitle' : 'claims.addTitle')}</h2>
      <ErrorSummary errors={errors} />
      <TextArea
        id={TEXT_ID}
        label={t('claims.message')}
        error={errorOf(errors, TEXT_ID)}
        value={text}
        onChange={setText}
      />
      <PictureField
        id={PICTURES_ID}
        files={files}
        error={problem || errorOf(errors, PICTURES_ID)}
        onChange={(chosen, refused) => {
          setFiles(chosen);
          setProblem(refused);
          drop(PICTURES_ID);
        }}
      />
      <p>
        <Button type="submit" kind={status === 'asking' ? undefined : 'soft'} busy={busy}>
          {t('claims.sendReply')}
        </Button>
      </p>
      <StillWorking busy={busy} />
    </form>
  );
}

/** Shows one claim: what is claimed, its state, its messages, and a form to reply. */
export function ClaimThread({ claimNo }: { claimNo: string }) {
  const [claim, setClaim] = useState<Claim | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const load = useCallback(() => {
    setFailure(null);
    call<Claim>('GET', `/pc/claims/${encodeURIComponent(claimNo)}`).then(setClaim, setFailure);
  }, [claimNo]);
  useEffect(load, [load]);

  if (failure !== null || !claim) {
    const title = t('claims.claim', { claimNo });
    return <PageLoading title={title} error={failure} onRetry={load} lines={4} height="8rem" />;
  }
  const status = claim.status as ClaimStatus;
  return (
    <div className="stack">
      <p>
        <a className="link small" href={claimsUrl()}>
          <Icon name="arrow-left" />
          {t('claims.all')}
        </a>
      </p>
      <div className="row row--wrap">
        <h1 className="num">{t('claims.claim', { claimNo })}</h1>
        <span className={claimBadge(status)}>{t(`claims.status.${status}`)}</span>
      </div>
      <State status={status} />
      <section className="panel stack">
        <h2>{t('claims.products')}</h2>
        <ClaimedGoods goods={claim.goods} />
        <p>
          {t('claims.wish')}: <b>{t(`claims.wishes.${claim.wish as 'refund'}`)}</b>
        </p>
        <p>
          <a className="link small" href={orderUrl(claim.orderNo)}>
            {t('orders.order', { orderNo: claim.orderNo })}
          </a>
        </p>
      </section>
      <section className="panel stack">
        <h2>{t('claims.messages')}</h2>
        <ol className="timeline">
          {claim.messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added at the end
            <OneMessage key={index} message={message} />
          ))}
        </ol>
      </section>
      {isOpen(claim) && <Reply claim={claim} onReplied={setClaim} onRefused={load} />}
    </div>
  );
}
