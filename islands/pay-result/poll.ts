import { call, ShopError } from '../api/client';
import type { PayResult } from '../api/types';

/** Waits before each question, in milliseconds: quick at first, about a minute in all. */
export const WAITS: readonly number[] = [
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
 * Asks until the money has come, about a minute long, and tells each answer.
 *
 * An answer that is lost on the way is no reason to stop; a refusal of the shop is, and is raised as ShopError.
 */
export async function pollPayment(
  id: string,
  onAnswer: (result: PayResult) => void,
  signal: AbortSignal,
  waits: readonly number[] = WAITS,
): Promise<void> {
  for (const [turn, wait] of waits.entries()) {
    await sleep(wait, signal);
    if (signal.aborted) return;
    try {
      const result = await call<PayResult>('GET', `/pc/pay/result/${encodeURIComponent(id)}`);
      if (signal.aborted) return;
      onAnswer(result);
      if (result.paid) return;
    } catch (error) {
      const isLost = error instanceof ShopError && (error.status === 0 || error.status >= 500);
      if (!isLost || turn === waits.length - 1) throw error;
    }
  }
}
