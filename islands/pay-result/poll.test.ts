import { beforeEach, describe, expect, it, vi } from 'vitest';
import { call, ShopError } from '../api/client';
import type { PayResult } from '../api/types';
import { pollPayment, WAITS } from './poll';

vi.mock('../api/client', async (original) => ({ ...(await original<object>()), call: vi.fn() }));

const server = vi.mocked(call);
const answer = (paid: boolean): PayResult => ({
  paid,
  status: paid ? 2 : 1,
  orderNo: 'EB1',
  payAmount: 22.95,
});
const poll = (onAnswer: (result: PayResult) => void, signal = new AbortController().signal) =>
  pollPayment('EB1', onAnswer, signal, [0, 0, 0]);

describe('pollPayment', () => {
  beforeEach(() => server.mockReset());

  it('stops as soon as the order is paid', async () => {
    server.mockResolvedValueOnce(answer(false)).mockResolvedValueOnce(answer(true));
    const onAnswer = vi.fn();
    await poll(onAnswer);
    expect(onAnswer.mock.calls.map(([result]) => result.paid)).toEqual([false, true]);
    expect(server).toHaveBeenCalledTimes(2);
  });

  it('gives up after the last wait, which is at about a minute', async () => {
    server.mockResolvedValue(answer(false));
    await poll(vi.fn());
    expect(server).toHaveBeenCalledTimes(3);
    const seconds = WAITS.reduce((sum, wait) => sum + wait, 0) / 1000;
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(62);
  });

  it('goes on over an answer that was lost', async () => {
    server
      .mockRejectedValueOnce(new ShopError({ code: -1, status: 0, reason: 'network' }))
      .mockResolvedValueOnce(answer(true));
    const onAnswer = vi.fn();
    await poll(onAnswer);
    expect(onAnswer).toHaveBeenCalledOnce();
  });

  it('raises what the shop refuses', async () => {
    const refusal = new ShopError({ code: 1, status: 200, reason: 'order_not_found' });
    server.mockRejectedValueOnce(refusal);
    await expect(poll(vi.fn())).rejects.toBe(refusal);
    expect(server).toHaveBeenCalledOnce();
  });

  it('asks no more once it is called off', async () => {
    const controller = new AbortController();
    server.mockResolvedValue(answer(false));
    await poll(() => controller.abort(), controller.signal);
    expect(server).toHaveBeenCalledOnce();
  });
});
