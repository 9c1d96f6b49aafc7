import { useCallback, useEffect, useState } from 'react';
import { call } from '../api/client';
import type { Rewards } from '../api/types';
import { Level } from '../rewards/Level';
import { LoadFailure } from '../ui/LoadFailure';
import { Skeleton } from '../ui/Skeleton';

/** Shows the customer's level, what it gives, and what is missing to the next one. */
export function LevelPanel() {
  const [rewards, setRewards] = useState<Rewards | null>(null);
  const [failure, setFailure] = useState<unknown>(null);

  const load = useCallback(() => {
    setFailure(null);
    call<Rewards>('GET', '/pc/user/rewards').then(setRewards, setFailure);
  }, []);
  useEffect(load, [load]);

  if (failure !== null) return <LoadFailure error={failure} onRetry={load} />;
  return rewards ? <Level {...rewards} /> : <Skeleton lines={1} height="12rem" />;
}
