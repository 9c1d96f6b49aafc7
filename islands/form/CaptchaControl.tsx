import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ShopError } from '../api/errors';
import type { Captcha } from '../api/types';
import { catalogueText, errorText, t } from '../i18n';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { askCaptcha, captchaTicket, exchange } from './captcha';
import { GeetestError, solveGeetest } from './geetest';

const END = 100;
/** Where a drag is over: it need not hit the last pixel. */
const NEAR_THE_END = 95;
/** What an arrow key moves. */
const STEP = 20;
const MOVED_BY: Readonly<Record<string, number>> = {
  ArrowRight: STEP,
  ArrowUp: STEP,
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
};
/** A challenge that is older may have ended before it is sent back. */
const FRESH_MS = 4 * 60_000;

/** `elsewhere`: GeeTest shows its own; `stopped`: it has been closed, or was not passed. */
type Step = 'asking' | 'slide' | 'elsewhere' | 'stopped' | 'working' | 'passed';

interface Props {
  /** The id of the slider, or of its replacement. */
  id: string;
  /** Called once the check is passed, with the ticket for one sendCode or one login. */
  onTicket: (ticket: string) => void;
}

/** Shows why GeeTest's captcha was of no use. */
function reasonOf(failure: unknown): string {
  if (!(failure instanceof GeetestError)) return errorText(failure);
  if (failure.isNetworkFailure) return t('captcha.networkFailure');
  return catalogueText('captcha_unavailable') ?? '';
}

/**
 * The security check: a slider that starts the embedded captcha, or GeeTest's where the shop has it.
 *
 * Takes the focus. Whatever fails of GeeTest, the slider replaces it (docs/ux.md#security-check).
 */
export function CaptchaControl({ id, onTicket }: Props) {
  const [step, setStep] = useState<Step>('asking');
  const [position, setPosition] = useState(0);
  const [problem, setProblem] = useState('');
  // A solution is passed to the form as it is then, with the account that it has by then.
  const latest = useRef(onTicket);
  latest.current = onTicket;
  const given = useRef<{ captcha: Captcha; until: number } | null>(null);
  const gone = useRef(new AbortController());

  function pass(ticket: string) {
    if (gone.current.signal.aborted) return;
    setStep('passed');
    latest.current(ticket);
  }

  function offerSlider(failure?: unknown) {
    if (failure) setProblem(reasonOf(failure));
    setPosition(0);
    setStep('slide');
  }

  async function begin() {
    setProblem('');
    setStep('asking');
    try {
      const captcha = await askCaptcha();
      if (captcha.provider !== 'geetest') {
        given.current = { captcha, until: performance.now() + FRESH_MS };
        return offerSlider();
      }
      setStep('elsewhere');
      const solved = await solveGeetest(captcha, gone.current.signal);
      if (!solved) return setStep('stopped');
      pass(await exchange('geetest', solved));
    } catch (failure) {
      if (!(failure instanceof ShopError) || failure.reason !== 'captcha_required')
        return offerSlider(failure);
      setProblem(errorText(failure));
      setStep('stopped');
    }
  }

  async function prove() {
    setProblem('');
    setPosition(END);
    setStep('working');
    const { captcha, until } = given.current ?? {};
    given.current = null;
    try {
      pass(await captchaTicket(until && performance.now() < until ? captcha : undefined));
    } catch (failure) {
      offerSlider(failure);
    }
  }

  function move(to: number) {
    if (step !== 'slide') return;
    if (to < NEAR_THE_END) setPosition(Math.max(0, to));
    else void prove();
  }

  function press(event: KeyboardEvent) {
    const by = MOVED_BY[event.key];
    // Enter would send the form around it.
    if (by || event.key === 'Enter') event.preventDefault();
    if (by) move(position + by);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: it begins once
  useEffect(() => {
    gone.current = new AbortController();
    void begin();
    return () => gone.current.abort();
  }, []);
  useEffect(() => {
    if (step === 'slide' || step === 'stopped') document.getElementById(id)?.focus();
  }, [step, id]);

  const isSliding = step === 'slide' || position === END;
  return (
    <fieldset className="stack">
      <legend className="vh">{t('captcha.title')}</legend>
      {problem && <Notice kind="danger">{problem}</Notice>}
      {isSliding && (
        <div className="slider" style={{ '--at': `${position}%` } as Record<string, string>}>
          <label htmlFor={id}>{t('captcha.slide')}</label>
          <input
            id={id}
            type="range"
            min={0}
            max={END}
            value={position}
            aria-valuetext={`${position}%`}
            aria-describedby={`${id}-hint`}
            aria-disabled={step !== 'slide' || undefined}
            onChange={(event) => move(Number(event.target.value))}
            onKeyDown={press}
            onPointerUp={() => step === 'slide' && setPosition(0)}
            onPointerCancel={() => step === 'slide' && setPosition(0)}
          />
        </div>
      )}
      {step === 'stopped' && (
        <Button id={id} kind="soft" onClick={begin}>
          {t('captcha.start')}
        </Button>
      )}
      <p className={step === 'slide' || step === 'asking' ? 'vh' : 'small muted'} role="status">
        {step === 'elsewhere' && t('captcha.elsewhere')}
        {step === 'working' && t('code.securityCheck')}
        {step === 'passed' && t('captcha.passed')}
      </p>
      {step === 'slide' && (
        <p className="small muted" id={`${id}-hint`}>
          {t('captcha.hint')}{' '}
          <button type="button" className="link" onClick={prove}>
            {t('captcha.press')}
          </button>
        </p>
      )}
    </fieldset>
  );
}
