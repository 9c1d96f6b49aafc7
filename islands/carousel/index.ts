/** Marks the dot of the slide in view, and lets a dot move the slides without moving the page. */
export default function mountCarousel(element: HTMLElement): void {
  const track = element.querySelector<HTMLElement>('.carousel__track');
  const dots = [...element.querySelectorAll<HTMLAnchorElement>('.dot')];
  if (!track) return;

  const mark = () => {
    const shown = Math.round(track.scrollLeft / track.clientWidth);
    for (const [place, dot] of dots.entries()) {
      if (place === shown) dot.setAttribute('aria-current', 'true');
      else dot.removeAttribute('aria-current');
    }
  };
  for (const [place, dot] of dots.entries()) {
    dot.addEventListener('click', (event) => {
      event.preventDefault();
      track.scrollTo({ left: place * track.clientWidth });
    });
  }
  track.addEventListener('scroll', mark, { passive: true });
  mark();
}
