import { type ButtonHTMLAttributes, useId } from 'react';

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  kind?: 'soft' | 'line' | 'quiet';
  size?: 'sm' | 'lg';
  block?: boolean;
  /** True while the action runs; the label stays and further presses do nothing. */
  busy?: boolean;
  /** Why the button cannot be pressed now; shown next to it. Empty: it can. */
  reason?: string;
}

/** A button that shows when it is busy and why it is disabled. */
export function Button({
  kind,
  size,
  block,
  busy = false,
  reason = '',
  type = 'button',
  className = '',
  onClick,
  ...rest
}: Props) {
  const reasonId = useId();
  const idle = busy || reason !== '';
  const classes = ['btn', kind && `btn--${kind}`, size && `btn--${size}`, block && 'btn--block', className];
  return (
    <>
      {/* aria-disabled keeps the button in the tab order, so that its reason can be read. */}
      <button
        {...rest}
        type={type}
        className={classes.filter(Boolean).join(' ')}
        aria-busy={busy || undefined}
        aria-disabled={idle || undefined}
        aria-describedby={reason ? reasonId : undefined}
        onClick={(event) => (idle ? event.preventDefault() : onClick?.(event))}
      />
      {reason && (
        <span id={reasonId} className="muted small">
          {reason}
        </span>
      )}
    </>
  );
}
