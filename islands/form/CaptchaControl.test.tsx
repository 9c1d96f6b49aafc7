import { act } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { freshBrowser } from '../testing/browser';

const asked = vi.fn();
const solve = vi.fn();
const exchanged = vi.fn();
const atGeetest = vi.fn();
const onTicket = vi.fn();

const slider = () => document.querySelector<HTMLInputElement>('#check');
const alertText = () => document.querySelector('[role=alert]')?.textContent ?? '';
const status = () => document.querySelector('[role=status]')?.textContent;
const button = (text: string) =>
  [...document.querySelectorAll('button')].find((each) => each.textContent === text) as HTMLButtonElement;

async function press(key: string): Promise<KeyboardEvent> {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  await act(async () => void slider()?.dispatchEvent(event));
  return event;
}

/** What a drag, the End key or a tap on the track make of a native slider. */
async function slideTo(value: number): Promise<void> {
  // React takes no notice of a value that is set on the element itself.
  Reflect.set(HTMLInputElement.prototype, 'value', String(value), slider() as HTMLInputElement);
  await act(async () => void slider()?.dispatchEvent(new Event('input', { bubbles: true })));
}

async function show(): Promise<void> {
  const { loadTextsOf } = await import('../i18n');
  const { mountComponent } = await import('../ui/mount');
  const { CaptchaControl } = await import('./CaptchaControl');
  await loadTextsOf('captcha');
  const element = document.createElement('div');
  document.body.append(element);
  await act(() => mountComponent(element, CaptchaControl, { id: 'check', onTicket }));
}

beforeEach(() => {
  freshBrowser();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  for (const mock of [asked, solve, exchanged, atGeetest, onTicket]) mock.mockReset();
  asked.mockResolvedValue({ provider: 'altcha', captchaId: 'a', challenge: {} });
  solve.mockResolvedValue('ticket');
  exchanged.mockResolvedValue('ticket of GeeTest');
  vi.doMock('./captcha', () => ({ askCaptcha: asked, captchaTicket: solve, exchange: exchanged }));
  vi.doMock('./geetest', async (original) => ({ ...(await original<object>()), solveGeetest: atGeetest }));
});

describe('the slider', () => {
  it('takes the focus and starts the proof at its end alone', async () => {
    await show();
    expect(document.activeElement).toBe(slider());
    expect(slider()?.labels?.[0]?.textContent).toBe('Slide to continue');
    await slideTo(60);
    await press('ArrowLeft');
    expect(slider()?.value).toBe('40');
    expect(solve).not.toHaveBeenCalled();
    // A drag that ends before the end begins again.
    await act(async () => void slider()?.dispatchEvent(new Event('pointerup', { bubbles: true })));
    expect(slider()?.value).toBe('0');
    await slideTo(97);
    expect(solve).toHaveBeenCalledOnce();
    expect(onTicket).toHaveBeenCalledExactlyOnceWith('ticket');
    expect(status()).toBe('Security check passed');
  });

  it('is worked by the arrow keys, and by a button', async () => {
    await show();
    for (let step = 1; step <= 4; step += 1) {
      expect((await press(step % 2 ? 'ArrowRight' : 'ArrowUp')).defaultPrevented).toBe(true);
      expect(slider()?.value).toBe(String(20 * step));
    }
    expect((await press('Enter')).defaultPrevented).toBe(true);
    expect(solve).not.toHaveBeenCalled();
    await press('ArrowRight');
    expect(onTicket).toHaveBeenCalledOnce();
    document.body.innerHTML = '';
    await show();
    await act(async () => button('Continue without sliding').click());
    expect(onTicket).toHaveBeenCalledTimes(2);
  });

  it('goes back with what was wrong where the proof is refused, and is solved again', async () => {
    const { ShopError } = await import('../api/errors');
    solve.mockRejectedValueOnce(new ShopError({ code: -1, status: 0, reason: 'network' }));
    await show();
    await slideTo(100);
    expect(alertText()).toContain('check your network');
    expect(slider()?.value).toBe('0');
    expect(document.activeElement).toBe(slider());
    expect(onTicket).not.toHaveBeenCalled();
    await slideTo(100);
    // The challenge that came first is used once.
    expect(solve.mock.calls.map(([given]) => given?.captchaId)).toEqual(['a', undefined]);
    expect(onTicket).toHaveBeenCalledOnce();
  });
});

describe("GeeTest's captcha", () => {
  beforeEach(() => asked.mockResolvedValue({ provider: 'geetest', captchaId: 'g', challenge: {} }));

  it('is shown where the shop has it, and gives the ticket', async () => {
    atGeetest.mockResolvedValue({ lot_number: '1' });
    await show();
    expect(slider()).toBeNull();
    expect(exchanged).toHaveBeenCalledExactlyOnceWith('geetest', { lot_number: '1' });
    expect(onTicket).toHaveBeenCalledExactlyOnceWith('ticket of GeeTest');
  });

  it.each(['60204', '60205'])('gives way to the slider after a network failure %s', async (code) => {
    const { GeetestError } = await import('./geetest');
    atGeetest.mockRejectedValue(new GeetestError(code));
    await show();
    expect(alertText()).toBe('Network failure');
    await slideTo(100);
    expect(solve).toHaveBeenCalledExactlyOnceWith(undefined);
    expect(onTicket).toHaveBeenCalledExactlyOnceWith('ticket');
  });

  it('gives way to the slider where the shop cannot reach GeeTest', async () => {
    const { ShopError } = await import('../api/errors');
    atGeetest.mockResolvedValue({ lot_number: '1' });
    exchanged.mockRejectedValue(new ShopError({ code: 1, status: 200, reason: 'captcha_unavailable' }));
    await show();
    expect(alertText()).toContain('use the shop’s own');
    expect(document.activeElement).toBe(slider());
    expect(onTicket).not.toHaveBeenCalled();
  });

  it('is begun again by a button where it was closed or not passed', async () => {
    const { ShopError } = await import('../api/errors');
    atGeetest.mockResolvedValueOnce(null).mockResolvedValue({ lot_number: '1' });
    exchanged.mockRejectedValueOnce(new ShopError({ code: 1, status: 200, reason: 'captcha_required' }));
    await show();
    expect(document.activeElement).toBe(button('Start the security check'));
    await act(async () => button('Start the security check').click());
    expect(alertText()).toBe('Please complete the security check first');
    expect(onTicket).not.toHaveBeenCalled();
    await act(async () => button('Start the security check').click());
    expect(onTicket).toHaveBeenCalledExactlyOnceWith('ticket of GeeTest');
  });
});
