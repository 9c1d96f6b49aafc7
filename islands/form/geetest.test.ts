import { beforeEach, describe, expect, it, vi } from 'vitest';
import { solveGeetest } from './geetest';

const captcha = {
  provider: 'geetest',
  captchaId: 'our-captcha',
  challenge: { script: 'https://captcha.test/gt4.js' },
};
const values = { lot_number: '1', captcha_output: '2', pass_token: '3', gen_time: '4' };

/** GeeTest's widget as the page sees it; tests call what it was given. */
class Widget {
  ready = () => {};
  success = () => {};
  close = () => {};
  error = (_: { code: number }) => {};
  solved: object | false = { ...values, captcha_id: 'ours' };
  showCaptcha = vi.fn();
  destroy = vi.fn();
  onReady = (then: () => void) => {
    this.ready = then;
  };
  onSuccess = (then: () => void) => {
    this.success = then;
  };
  onClose = (then: () => void) => {
    this.close = then;
  };
  onError = (then: (error: { code: number }) => void) => {
    this.error = then;
  };
  getValidate = () => this.solved;
}

let script: HTMLScriptElement | undefined;
let options: Record<string, unknown> = {};
let widget: Widget;
const scripts = () => document.head.querySelectorAll('script').length;

/** What GeeTest's script does once it has come; `sets` false: it comes and brings nothing. */
function come(sets = true): void {
  if (sets)
    vi.stubGlobal('initGeetest4', (given: Record<string, unknown>, then: (widget: Widget) => void) => {
      options = given;
      then(widget);
    });
  script?.onload?.(new Event('load'));
}

/** Begins without waiting for the end. */
function started(signal = new AbortController().signal) {
  const outcome = solveGeetest(captcha, signal);
  outcome.catch(() => undefined);
  return { outcome };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.unstubAllGlobals();
  document.head.innerHTML = '';
  widget = new Widget();
  script = undefined;
  vi.spyOn(document.head, 'append').mockImplementation((node) => {
    script = node as HTMLScriptElement;
  });
});

describe('solveGeetest', () => {
  it('loads the script, shows the captcha and gives its four values', async () => {
    const { outcome } = started();
    expect(script?.src).toBe(captcha.challenge.script);
    come();
    await vi.advanceTimersByTimeAsync(0);
    expect(options).toMatchObject({
      captchaId: 'our-captcha',
      product: 'bind',
      language: 'eng',
      timeout: 10_000,
    });
    expect(widget.showCaptcha).not.toHaveBeenCalled();
    widget.ready();
    expect(widget.showCaptcha).toHaveBeenCalledOnce();
    widget.success();
    await expect(outcome).resolves.toEqual(values);
    expect(widget.destroy).toHaveBeenCalledOnce();
  });

  it('gives up a script that does not come within ten seconds', async () => {
    const { outcome } = started();
    await vi.advanceTimersByTimeAsync(9_999);
    const settled = vi.fn();
    outcome.catch(settled);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(outcome).rejects.toMatchObject({ code: '60204', isNetworkFailure: true });
    expect(scripts()).toBe(0);
  });

  it('gives up a script that cannot be had, or that brings nothing', async () => {
    const lost = started();
    script?.onerror?.(new Event('error'));
    await expect(lost.outcome).rejects.toMatchObject({ code: '60204' });
    const empty = started();
    come(false);
    await expect(empty.outcome).rejects.toMatchObject({ code: '60204' });
  });

  it('gives up a captcha that is not ready within ten seconds', async () => {
    const { outcome } = started();
    come();
    await vi.advanceTimersByTimeAsync(10_000);
    await expect(outcome).rejects.toMatchObject({ code: '60205', isNetworkFailure: true });
    expect(widget.destroy).toHaveBeenCalledOnce();
  });

  it('leaves the customer all the time once it is ready', async () => {
    const { outcome } = started();
    come();
    await vi.advanceTimersByTimeAsync(0);
    widget.ready();
    await vi.advanceTimersByTimeAsync(60_000);
    widget.success();
    await expect(outcome).resolves.toEqual(values);
  });

  it("raises GeeTest's own errors", async () => {
    const { outcome } = started();
    come();
    await vi.advanceTimersByTimeAsync(0);
    widget.error({ code: 60500 });
    await expect(outcome).rejects.toMatchObject({ code: '60500', isNetworkFailure: false });
  });

  it('gives nothing where the customer closes it, or leaves the form', async () => {
    const closed = started();
    come();
    await vi.advanceTimersByTimeAsync(0);
    widget.close();
    await expect(closed.outcome).resolves.toBeNull();
    const leaving = new AbortController();
    const left = started(leaving.signal);
    await vi.advanceTimersByTimeAsync(0);
    leaving.abort();
    await expect(left.outcome).resolves.toBeNull();
    expect(widget.destroy).toHaveBeenCalledTimes(2);
  });
});
