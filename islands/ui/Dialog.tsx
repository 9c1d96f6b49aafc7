import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface Props {
  title: string;
  children: ReactNode;
  /** The buttons, in their order. */
  actions: ReactNode;
  onClose: () => void;
}

/**
 * A modal dialog, open while it is rendered; the browser restores the focus when it closes. Its first field has the
 * focus, or its title where it only asks: there Enter does nothing.
 */
export function Dialog({ title, children, actions, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const titleId = useId();
  // close() restores the focus only while the element is in the page, as it is in a layout effect's cleanup.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    if (!element?.querySelector('input')) heading.current?.focus();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} closedby="any" className="dialog stack" aria-labelledby={titleId} onCancel={onClose}>
      <h2 id={titleId} ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
      <div className="row row--wrap">{actions}</div>
    </dialog>
  );
}
