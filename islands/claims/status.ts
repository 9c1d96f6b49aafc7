import type { Claim } from '../api/types';

/** The states of a claim (docs/product.md#claims). */
export type ClaimStatus = 'waiting' | 'asking' | 'refund' | 'replacement' | 'declined' | 'settled';

const TONES: Readonly<Record<string, string>> = {
  waiting: 'info',
  asking: 'warn',
  refund: 'ok',
  replacement: 'ok',
  settled: 'ok',
};

/** Gives the badge's class for a claim's status. */
export const claimBadge = (status: string): string => `badge badge--${TONES[status] ?? 'mute'}`;

/** Returns whether the customer may still write. */
export const isOpen = ({ status }: Pick<Claim, 'status'>): boolean =>
  status === 'waiting' || status === 'asking';
