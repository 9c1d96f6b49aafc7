// @vitest-environment node

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import type { PayResult } from '../api/types';
import { pollPayment } from './poll';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const server = vi.mocked(call);
const answer = (paid: boolean): PayResult => ({
  paid,
  failed: false,
  status: paid ? 2 : 1,
  orderNo: 'EB1',
  payAmount: 22.95,
  leftToPay: paid ? null : 22.95,
  walletHeld: 0,
  arrival: null,
  payType: '5',
  isRecharge: false,
});
async function poll(onAnswer: (result: PayResult) => void, signal = new AbortController().signal) {
  const [outcome] = await Promise.allSettled([pollPayment('EB1', onAnswer, signal), vi.runAllTimersAsync()]);
  if (outcome.status === 'rejected') throw outcome.reason;
}

describe('pollPayment', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    server.mockReset();
  });

  it('stops as soon as the order is paid', async () => {
    server.mockResolvedValueOnce(answer(false)).mockResolvedValueOnce(answer(true));
    const onAnswer = vi.fn();
    await poll(onAnswer);
    expect(onAnswer.mock.calls.map(([result]) => result.paid)).toEqual([false, true]);
    expect(server).toHaveBeenCalledTimes(2);
  });

  it('stops after about a minute', async () => {
    server.mockResolvedValue(answer(false));
    const started = Date.now();
    await poll(vi.fn());
    const seconds = (Date.now() - started) / 1000;
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(62);
  });

  it.each([
    ['a lost answer', { code: -1, status: 0, reason: 'network' }],
    ['an answer that the shop is busy', { code: 1, status: 429, reason: 'shop_busy' }],
  ])('goes on after %s', async (_what, failure) => {
    server.mockRejectedValueOnce(new ShopError(failure)).mockResolvedValueOnce(answer(true));
    const onAnswer = vi.fn();
    await poll(onAnswer);
    expect(onAnswer).toHaveBeenCalledOnce();
  });

  it('raises a refusal of the shop', async () => {
    const refusal = new ShopError({ code: 1, status: 200, reason: 'order_not_found' });
    server.mockRejectedValueOnce(refusal);
    await expect(poll(vi.fn())).rejects.toBe(refusal);
    expect(server).toHaveBeenCalledOnce();
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    server.mockResolvedValue(answer(false));
    await poll(() => controller.abort(), controller.signal);
    expect(server).toHaveBeenCalledOnce();
  });
});
