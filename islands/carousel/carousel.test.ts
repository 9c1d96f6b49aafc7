import { beforeEach, expect, it, vi } from 'vitest';
import mountCarousel from '.';

const WIDTH = 400;
let track: HTMLElement;

beforeEach(() => {
  document.body.innerHTML =
    '<section><div class="carousel__track"></div><a class="dot" href="#slide-1"></a><a class="dot" href="#slide-2"></a></section>';
  track = document.querySelector('.carousel__track') as HTMLElement;
  Object.defineProperty(track, 'clientWidth', { value: WIDTH });
  mountCarousel(document.body);
});

const dots = () => [...document.querySelectorAll<HTMLElement>('.dot')];
const marked = () => dots().map((dot) => dot.getAttribute('aria-current'));

it('marks the first dot at the start and that of the visible slide after scrolling', () => {
  expect(marked()).toEqual(['true', null]);
  track.scrollLeft = WIDTH * 0.9;
  track.dispatchEvent(new Event('scroll'));
  expect(marked()).toEqual([null, 'true']);
});

it('scrolls to a slide at a click on its dot, and does not change the URL', () => {
  const scrollTo = vi.spyOn(track, 'scrollTo');
  const click = new MouseEvent('click', { bubbles: true, cancelable: true });
  dots()[1]?.dispatchEvent(click);
  expect(click.defaultPrevented).toBe(true);
  expect(scrollTo).toHaveBeenCalledWith({ left: WIDTH });
});
