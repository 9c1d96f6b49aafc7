import { useEffect, useState } from 'react';

/** Grey bars in the shape of the content, shown when loading takes more than 200 ms. */
export function Skeleton({ lines = 3, height = '4.5rem' }: { lines?: number; height?: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="stack" aria-busy="true">
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are identical and never reordered
        <div key={index} className={late ? 'skel' : undefined} style={{ blockSize: height }} />
      ))}
    </div>
  );
}
