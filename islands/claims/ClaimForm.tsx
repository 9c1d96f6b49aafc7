import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client';
import type { Claim, Claimable } from '../api/types';
import { orderUrl } from '../checkout/urls';
import { ErrorSummary, errorOf, type FormError } from '../form/ErrorSummary';
import { SelectField } from '../form/SelectField';
import { StillWorking } from '../form/StillWorking';
import { serverErrors } from '../form/serverErrors';
import { useErrors } from '../form/useErrors';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { askBeforeLeaving, leaveTo } from '../leaving';
import { formatTime } from '../orders/dates';
import { Button } from '../ui/Button';
import { InputField } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import { PageLoading } from '../ui/PageLoading';
import { ProductPicture } from '../ui/ProductPicture';
import { KINDS } from './ClaimedGoods';
import { ClaimCard } from './ClaimList';
import { PictureField } from './PictureField';
import { upload } from './pictures';
import { TextArea } from './TextArea';
import { claimUrl } from './urls';
import {
  type Entry,
  firstId,
  isSingle,
  type Kind,
  kindId,
  type Line,
  lineKey,
  linesOf,
  NOTHING,
  problemsOf,
  unitsId,
} from './wishes';

const TEXT_ID = 'claim-text';
const PICTURES_ID = 'claim-pictures';
const WISHES = ['refund', 'replacement'] as const;

interface LineProps {
  line: Line;
  entry: Entry;
  errors: readonly FormError[];
  onChange: (entry: Entry) => void;
}

/** Asks how many units of a line are claimed, and what is wrong with them. */
function LineFields({ line, entry, errors, onChange }: LineProps) {
  const { name } = bothNames(line.goodsName, line.goodsEnglishName);
  return (
    <fieldset className="stack">
      <legend className="vh">{name}</legend>
      <div className="mini">
        <div className="row" aria-hidden="true">
          <ProductPicture product={line} />
          <span>
            {name}
            <small className="muted">{t('claims.left', { left: line.left, bought: line.goodsAmount })}</small>
          </span>
        </div>
      </div>
      <div className="fields">
        {!isSingle(line) && (
          <InputField
            id={unitsId(line)}
            label={t('claims.units')}
            hint={t('claims.unitsHint', { count: line.left })}
            error={errorOf(errors, unitsId(line))}
            type="number"
            inputMode="numeric"
            min={0}
            max={line.left}
            value={entry.units}
            onChange={(event) => onChange({ ...entry, units: event.target.value })}
          />
        )}
        <SelectField
          id={kindId(line)}
          label={t('claims.what')}
          hint={t(isSingle(line) ? 'claims.singleHint' : 'claims.whatHint')}
          error={errorOf(errors, kindId(line))}
          value={entry.kind}
          onChange={(kind) => onChange({ ...entry, kind: kind as Kind | '' })}
        >
          <option value="">{t('claims.choose')}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`claims.kind.${kind}`)}
            </option>
          ))}
        </SelectField>
      </div>
    </fieldset>
  );
}

interface FormProps {
  orderNo: string;
  lines: readonly Line[];
  /** Called where the server has refused what the form was made from. */
  onRefused: () => void;
}

function Form({ orderNo, lines, onRefused }: FormProps) {
  const [entries, setEntries] = useState<Readonly<Record<string, Entry>>>({});
  const [wish, setWish] = useState<(typeof WISHES)[number]>('refund');
  const [text, setText] = useState('');
  const [files, setFiles] = useState<readonly File[]>([]);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const sent = useRef(false);
  const { errors, setErrors, drop, onChange } = useErrors();

  const isTyped = text !== '' || files.length > 0;
  useEffect(() => {
    if (isTyped) return askBeforeLeaving(() => !sent.current);
  }, [isTyped]);

  function problems(): FormError[] {
    const found = problemsOf(lines, entries);
    if (!text.trim()) found.push({ id: TEXT_ID, text: t('claims.missingText') });
    return found;
  }

  async function send(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    const found = problems();
    setErrors(found);
    if (found.length) return;
    setBusy(true);
    try {
      const images = await upload(files);
      const body = { orderNo, lines: linesOf(lines, entries), wish, text, images };
      const { claimNo } = await call<Claim>('POST', '/pc/claims', body);
      sent.current = true;
      leaveTo(claimUrl(claimNo));
    } catch (error) {
      const first = lines[0] ? firstId(lines[0]) : '';
      const controls = { text: TEXT_ID, images: PICTURES_ID, file: PICTURES_ID, lines: first };
      setErrors(serverErrors(error, controls, { images: t('claims.pictureGone') }));
      onRefused();
    }
    setBusy(false);
  }

  return (
    <form className="panel stack" onSubmit={send} onChange={onChange} noValidate>
      <h2>{t('claims.products')}</h2>
      <ErrorSummary errors={errors} />
      {lines.map((line) => (
        <LineFields
          key={lineKey(line)}
          line={line}
          entry={entries[lineKey(line)] ?? NOTHING}
          errors={errors}
          onChange={(entry) => setEntries((others) => ({ ...others, [lineKey(line)]: entry }))}
        />
      ))}
      <TextArea
        id={TEXT_ID}
        label={t('claims.text')}
        hint={t('claims.textHint')}
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
      <SelectField
        id="claim-wish"
        label={t('claims.wish')}
        hint={t('claims.wishHint')}
        value={wish}
        onChange={(chosen) => setWish(chosen as typeof wish)}
      >
        {WISHES.map((each) => (
          <option key={each} value={each}>
            {t(`claims.wishes.${each}`)}
          </option>
        ))}
      </SelectField>
      <p>
        <Button type="submit" busy={busy}>
          {t('claims.send')}
        </Button>
      </p>
      <StillWorking busy={busy} />
    </form>
  );
}

/** Takes a claim about an order, and shows those that there are already (docs/product.md#claims). */
export function ClaimForm({ orderNo }: { orderNo: string }) {
  const [claimable, setClaimable] = useState<Claimable | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const load = useCallback(() => {
    setFailure(null);
    call<Claimable>('GET', `/pc/order/claimable/${encodeURIComponent(orderNo)}`).then(
      setClaimable,
      setFailure,
    );
  }, [orderNo]);
  useEffect(load, [load]);

  const title = t('claims.formTitle');
  if (failure !== null || !claimable) {
    return <PageLoading title={title} error={failure} onRetry={load} lines={4} height="8rem" />;
  }
  const lines = claimable.goods.filter(({ left }) => left > 0);
  return (
    <div className="stack">
      <p>
        <a className="link small" href={orderUrl(orderNo)}>
          <Icon name="arrow-left" />
          {t('orders.order', { orderNo })}
        </a>
      </p>
      <h1>{title}</h1>
      {claimable.claims.length > 0 && (
        <section className="stack">
          <h2>{t('claims.before')}</h2>
          {claimable.claims.map((claim) => (
            <ClaimCard key={claim.claimNo} claim={claim} />
          ))}
        </section>
      )}
      {claimable.isClaimable && lines.length > 0 && (
        <>
          <p>{t('claims.intro')}</p>
          {claimable.until && (
            <p className="small soft">{t('claims.until', { time: formatTime(claimable.until) })}</p>
          )}
          <Form orderNo={orderNo} lines={lines} onRefused={load} />
        </>
      )}
      {claimable.isClaimable && lines.length === 0 && <Notice>{t('claims.allClaimed')}</Notice>}
      {!claimable.isClaimable && <Notice>{t('claims.notNow')}</Notice>}
    </div>
  );
}
