import type { Captcha } from '../api/types';
import { lang } from '../lang';

const TIMEOUT_MS = 10_000;
/** GeeTest's own codes: its script, or what that loads, did not come in time. */
const SCRIPT_TIMEOUT = '60204';
const RESOURCE_TIMEOUT = '60205';

/** What GeeTest gives for a solved captcha, as its server side wants it. */
export interface Solved {
  lot_number: string;
  captcha_output: string;
  pass_token: string;
  gen_time: string;
}

/** GeeTest's captcha once it has been set up; of what it offers, what is used here. */
interface Widget {
  onReady(then: () => void): void;
  onSuccess(then: () => void): void;
  onClose(then: () => void): void;
  onError(then: (error: { code?: string | number }) => void): void;
  showCaptcha(): void;
  getValidate(): Solved | false;
  destroy(): void;
}

type Init = (options: Record<string, unknown>, then: (widget: Widget) => void) => void;

/** A captcha of GeeTest that cannot be shown; `code` is GeeTest's own. */
export class GeetestError extends Error {
  constructor(readonly code: string) {
    super(`GeeTest cannot be shown: ${code}`);
  }

  /** Whether something did not come in time, which GeeTest calls a network failure. */
  get isNetworkFailure(): boolean {
    return this.code === SCRIPT_TIMEOUT || this.code === RESOURCE_TIMEOUT;
  }
}

const initOf = (): Init | undefined => (window as { initGeetest4?: Init }).initGeetest4;

/** Loads GeeTest's script. Raises GeetestError after ten seconds, or where it cannot be had. */
function load(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      clearTimeout(timer);
      script.remove();
      reject(new GeetestError(SCRIPT_TIMEOUT));
    };
    const timer = setTimeout(fail, TIMEOUT_MS);
    script.onerror = fail;
    script.onload = () => {
      clearTimeout(timer);
      resolve();
    };
    script.src = address;
    document.head.append(script);
  });
}

/**
 * Shows GeeTest's captcha above the page, and gives its answer; null where the customer has closed it.
 *
 * `signal` takes it away. Raises GeetestError.
 */
export async function solveGeetest(captcha: Captcha, signal: AbortSignal): Promise<Solved | null> {
  if (!initOf()) await load(String(captcha.challenge.script));
  const init = initOf();
  if (!init) throw new GeetestError(SCRIPT_TIMEOUT);
  if (signal.aborted) return null;
  return new Promise((resolve, reject) => {
    let shown: Widget | undefined;
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', close);
      shown?.destroy();
    };
    const close = () => {
      end();
      resolve(null);
    };
    const fail = (code: string) => {
      end();
      reject(new GeetestError(code));
    };
    const timer = setTimeout(() => fail(RESOURCE_TIMEOUT), TIMEOUT_MS);
    signal.addEventListener('abort', close);
    const options = {
      captchaId: captcha.captchaId,
      product: 'bind',
      language: lang() === 'zh' ? 'zho' : 'eng',
      timeout: TIMEOUT_MS,
      onError: (error: { code?: string | number }) => fail(String(error.code)),
    };
    init(options, (widget) => {
      shown = widget;
      widget.onReady(() => {
        clearTimeout(timer);
        widget.showCaptcha();
      });
      widget.onSuccess(() => {
        const solved = widget.getValidate();
        if (!solved) return;
        end();
        const { lot_number, captcha_output, pass_token, gen_time } = solved;
        resolve({ lot_number, captcha_output, pass_token, gen_time });
      });
      widget.onClose(close);
      widget.onError(({ code }) => fail(String(code)));
    });
  });
}
