import { markShown, show, zoom } from './gallery';
import { askForNotice } from './notice';
import { choose, showVariant } from './variants';

/*
 * The page of one goods, by delegation: its parts are replaced when another variant is shown.
 *   .gallery__thumbs a   moves the pictures      [data-zoom]     opens one of them
 *   [data-variant]       another size            [data-notice]   the form for a message when it is back
 */

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Takes over the gallery, the variants and the notice form. */
export default function mountGoods(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a');
    if (!link || !isPlain(event)) return;
    const act = link.matches('.gallery__thumbs a')
      ? () => show(root, link)
      : link.matches('[data-zoom]')
        ? () => zoom(root, link)
        : link.matches('[data-variant]')
          ? () => void choose(link)
          : null;
    if (!act) return;
    event.preventDefault();
    act();
  });
  root.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-notice]')) return;
    event.preventDefault();
    void askForNotice(form);
  });
  // Scrolling does not bubble.
  root.addEventListener('scroll', () => markShown(root), { capture: true, passive: true });
  window.addEventListener('popstate', () => void showVariant(location.href));
}
