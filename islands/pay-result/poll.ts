import { call, ShopError } from '../api/client';
import type { PayResult } from '../api/types';
import { COLLECTED_BY_STAFF } from '../pay/payTypes';

/** The wait before each request: short at first, about a minute in all. */
const WAITS_MS: readonly number[] = [
  0, 1000, 1500, 2000, 3000, 4000, 5000, 6000, 8000, 10_000, 10_000, 10_000,
];

const sleep = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Polls until the order is paid, for about a minute, and calls back with each answer. Once only where staff collect
 * the money, as that takes hours.
 *
 * Goes on after a lost answer, and when the shop is busy; raises ShopError when it refuses.
 */
export async function pollPayment(
  id: string,
  onAnswer: (result: PayResult) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const [turn, wait] of WAITS_MS.entries()) {
    await sleep(wait, signal);
    if (signal.aborted) return;
    try {
      const result = await call<PayResult>('GET', `/pc/pay/result/${encodeURIComponent(id)}`);
      if (signal.aborted) return;
      onAnswer(result);
      if (result.paid || COLLECTED_BY_STAFF.has(result.payType)) return;
    } catch (error) {
      const isLost =
        error instanceof ShopError && (error.status === 0 || error.status === 429 || error.status >= 500);
      if (!isLost || turn === WAITS_MS.length - 1) throw error;
    }
  }
}
