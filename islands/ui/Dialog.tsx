import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface Props {
  title: string;
  children: ReactNode;
  /** The buttons, in their order. */
  actions: ReactNode;
  onClose: () => void;
}

/** A modal question. It opens when it is drawn; the browser brings the focus back when it goes. */
export function Dialog({ title, children, actions, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Layout effects are undone while the element is still in the page: only there does close() bring the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="dialog stack" aria-labelledby={titleId} onCancel={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <div className="row row--wrap">{actions}</div>
    </dialog>
  );
}
