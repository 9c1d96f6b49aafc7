/*
 * Marks the dot of the visible slide, lets dots and arrows scroll the slides without scrolling the page, and plays
 * the slides on request. Nothing moves automatically (WCAG 2.2.2).
 *   .dot                 a link to its slide
 *   [data-slide="-1"]    to the slide before; "1" to the next one
 *   [data-play]          plays and pauses
 */
const SECONDS_A_SLIDE = 6;

/** Mounts a carousel inside its element. */
export default function mountCarousel(element: HTMLElement): void {
  const track = element.querySelector<HTMLElement>('.carousel__track');
  const dots = [...element.querySelectorAll<HTMLAnchorElement>('.dot')];
  const play = element.querySelector<HTMLButtonElement>('[data-play]');
  if (!track) return;
  let timer: ReturnType<typeof setInterval> | undefined;

  const shown = () => Math.round(track.scrollLeft / track.clientWidth);
  const show = (index: number) => track.scrollTo({ left: index * track.clientWidth });
  const step = (by: number) => show((shown() + by + dots.length) % dots.length);

  function mark(): void {
    for (const [index, dot] of dots.entries()) {
      if (index === shown()) dot.setAttribute('aria-current', 'true');
      else dot.removeAttribute('aria-current');
    }
  }
  function pause(): void {
    clearInterval(timer);
    timer = undefined;
    play?.removeAttribute('data-playing');
    if (play) play.ariaLabel = play.dataset.play ?? '';
  }
  function start(button: HTMLButtonElement): void {
    timer = setInterval(() => {
      if (!element.isConnected) pause();
      else if (!element.querySelector('.carousel:hover, .carousel__track:focus-within')) step(1);
    }, SECONDS_A_SLIDE * 1000);
    button.setAttribute('data-playing', '');
    button.ariaLabel = button.dataset.pause ?? '';
  }

  for (const [index, dot] of dots.entries()) {
    dot.addEventListener('click', (event) => {
      event.preventDefault();
      pause();
      show(index);
    });
  }
  for (const arrow of element.querySelectorAll<HTMLButtonElement>('[data-slide]')) {
    arrow.hidden = false;
    arrow.addEventListener('click', () => {
      pause();
      step(Number(arrow.dataset.slide));
    });
  }
  if (play) {
    play.hidden = false;
    play.addEventListener('click', () => (timer ? pause() : start(play)));
  }
  track.addEventListener('scroll', mark, { passive: true });
  mark();
}
