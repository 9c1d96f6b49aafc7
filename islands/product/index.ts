import { estimate } from './estimate';
import { markShown, show, zoom, zoomBy } from './gallery';
import { askForAlert } from './stock-alert';
import { choose, showCurrent } from './variants';

/*
 * The product page, by event delegation, since its elements are replaced when another variant is shown.
 *   .gallery__thumbs a   scrolls the pictures    [data-zoom]          enlarges one of them
 *   [data-variant]       another size            [data-stock-alert]   the form for a stock alert
 *   [data-estimate]      what sending it costs      [data-zoom-by]       enlarges the next picture
 */

function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
}

/** Handles the gallery, the variants and the stock alert form. */
export default function mountProduct(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    const step = (event.target as Element).closest<HTMLElement>('[data-zoom-by]')?.dataset.zoomBy;
    if (step) zoomBy(root, Number(step));
    const link = (event.target as Element).closest<HTMLAnchorElement>('a');
    if (!link || !isPlain(event)) return;
    const act = link.matches('.gallery__thumbs a')
      ? () => show(root, link)
      : link.matches('[data-zoom]')
        ? () => zoom(root, link)
        : link.matches('[data-variant]')
          ? () => void choose(link).then(() => estimate(root))
          : null;
    if (!act) return;
    event.preventDefault();
    act();
  });
  root.addEventListener('keydown', ({ key }) => {
    if (key === 'ArrowLeft' || key === 'ArrowRight') zoomBy(root, key === 'ArrowRight' ? 1 : -1);
  });
  root.addEventListener('submit', (event) => {
    const form = event.target as HTMLFormElement;
    if (!form.matches('[data-stock-alert]')) return;
    event.preventDefault();
    void askForAlert(form);
  });
  // Scrolling does not bubble.
  root.addEventListener('scroll', () => markShown(root), { capture: true, passive: true });
  window.addEventListener('popstate', () => void showCurrent().then(() => estimate(root)));
  root.addEventListener('change', () => estimate(root));
  document.addEventListener('shop:place', () => estimate(root));
  estimate(root);
}
