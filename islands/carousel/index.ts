/** Marks the dot of the visible slide, and lets a dot scroll the slides without scrolling the page. */
export default function mountCarousel(element: HTMLElement): void {
  const track = element.querySelector<HTMLElement>('.carousel__track');
  const dots = [...element.querySelectorAll<HTMLAnchorElement>('.dot')];
  if (!track) return;

  const mark = () => {
    const shown = Math.round(track.scrollLeft / track.clientWidth);
    for (const [index, dot] of dots.entries()) {
      if (index === shown) dot.setAttribute('aria-current', 'true');
      else dot.removeAttribute('aria-current');
    }
  };
  for (const [index, dot] of dots.entries()) {
    dot.addEventListener('click', (event) => {
      event.preventDefault();
      track.scrollTo({ left: index * track.clientWidth });
    });
  }
  track.addEventListener('scroll', mark, { passive: true });
  mark();
}
