/*
 * The pictures of a product. Without script they scroll sideways, thumbnails are anchors and each large picture links
 * to its file; with it thumbnails do not scroll the page, and a large picture opens in a dialog.
 */

function track(root: HTMLElement): HTMLElement | null {
  return root.querySelector('.gallery__track');
}

/** Marks the thumbnail of the visible picture. */
export function markShown(root: HTMLElement): void {
  const strip = track(root);
  if (!strip?.clientWidth) return;
  const shown = Math.round(strip.scrollLeft / strip.clientWidth);
  for (const [index, thumb] of root.querySelectorAll('.gallery__thumbs a').entries()) {
    if (index === shown) thumb.setAttribute('aria-current', 'true');
    else thumb.removeAttribute('aria-current');
  }
}

/** Scrolls to the picture of a thumbnail. */
export function show(root: HTMLElement, thumb: HTMLAnchorElement): void {
  const strip = track(root);
  const index = [...root.querySelectorAll('.gallery__thumbs a')].indexOf(thumb);
  strip?.scrollTo({ left: index * strip.clientWidth });
}

function pictures(root: HTMLElement): HTMLAnchorElement[] {
  return [...root.querySelectorAll<HTMLAnchorElement>('[data-zoom]')];
}

function enlarge(root: HTMLElement, dialog: HTMLDialogElement, index: number): void {
  const image = dialog.querySelector('img') ?? dialog.appendChild(document.createElement('img'));
  image.src = pictures(root)[index]?.href ?? '';
  image.alt = dialog.getAttribute('aria-label') ?? '';
  const place = dialog.querySelector('output');
  const thumb = root.querySelectorAll('.gallery__thumbs a')[index];
  if (place) place.textContent = thumb?.getAttribute('aria-label') ?? '';
}

/** Opens a picture in the dialog; the browser restores the focus when that closes. */
export function zoom(root: HTMLElement, picture: HTMLAnchorElement): void {
  const dialog = root.querySelector<HTMLDialogElement>('dialog.zoom');
  if (!dialog) return;
  enlarge(root, dialog, pictures(root).indexOf(picture));
  dialog.showModal();
}

/** Enlarges the picture that many places further in the dialog, round the ends. */
export function zoomBy(root: HTMLElement, steps: number): void {
  const dialog = root.querySelector<HTMLDialogElement>('dialog.zoom[open]');
  const all = pictures(root);
  if (!dialog || all.length < 2) return;
  const now = all.findIndex((picture) => picture.href === dialog.querySelector('img')?.src);
  enlarge(root, dialog, (now + steps + all.length) % all.length);
}
