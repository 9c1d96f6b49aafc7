import { useEffect, useState } from 'react';

/** Grey bars in the shape of what is coming, shown only when it takes more than 200 ms. */
export function Skeleton({ lines = 3, height = '4.5rem' }: { lines?: number; height?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="stack" aria-busy="true">
      {Array.from({ length: lines }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike and never move
        <div key={place} className={late ? 'skel' : undefined} style={{ blockSize: height }} />
      ))}
    </div>
  );
}
