/*
 * The pictures of one goods. Without script they scroll sideways, the small ones are anchors and each big one a link
 * to its file; here the small ones move no page, and a big one opens in a dialog.
 */

function track(root: HTMLElement): HTMLElement | null {
  return root.querySelector('.gallery__track');
}

/** Marks the small picture of the one in view. */
export function markShown(root: HTMLElement): void {
  const strip = track(root);
  if (!strip?.clientWidth) return;
  const shown = Math.round(strip.scrollLeft / strip.clientWidth);
  for (const [place, thumb] of root.querySelectorAll('.gallery__thumbs a').entries()) {
    if (place === shown) thumb.setAttribute('aria-current', 'true');
    else thumb.removeAttribute('aria-current');
  }
}

/** Moves the picture of a small one into view. */
export function show(root: HTMLElement, thumb: HTMLAnchorElement): void {
  const strip = track(root);
  const place = [...root.querySelectorAll('.gallery__thumbs a')].indexOf(thumb);
  strip?.scrollTo({ left: place * strip.clientWidth });
}

/** Opens a picture in the dialog; the browser brings the focus back when that closes. */
export function zoom(root: HTMLElement, picture: HTMLAnchorElement): void {
  const dialog = root.querySelector<HTMLDialogElement>('dialog.zoom');
  if (!dialog) return;
  const image = dialog.querySelector('img') ?? dialog.appendChild(document.createElement('img'));
  image.src = picture.href;
  image.alt = dialog.getAttribute('aria-label') ?? '';
  dialog.showModal();
}
