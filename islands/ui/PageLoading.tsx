import { LoadFailure } from './LoadFailure';
import { Skeleton } from './Skeleton';

interface Props {
  /** The page's heading, which is there from the first moment for readers who navigate by headings. */
  title: string;
  /** What the call was refused with; null while it runs. */
  error: unknown;
  onRetry: () => void;
  lines: number;
  height?: string;
}

/** Shows a page whose content is being loaded, or could not be. */
export function PageLoading({ title, error, onRetry, lines, height }: Props) {
  return (
    <div className="stack">
      <h1>{title}</h1>
      {error === null ? (
        <Skeleton lines={lines} height={height} />
      ) : (
        <LoadFailure error={error} onRetry={onRetry} />
      )}
    </div>
  );
}
