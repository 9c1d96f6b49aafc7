import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import mountCarousel from '.';

const WIDTH = 400;
let track: HTMLElement;

beforeEach(() => {
  document.body.innerHTML =
    '<section><div class="carousel__track"></div><a class="dot" href="#slide-1"></a><a class="dot" href="#slide-2"></a>' +
    '<button hidden data-play="Play" data-pause="Pause" aria-label="Play"></button>' +
    '<button hidden data-slide="-1"></button><button hidden data-slide="1"></button></section>';
  track = document.querySelector('.carousel__track') as HTMLElement;
  Object.defineProperty(track, 'clientWidth', { value: WIDTH });
  track.scrollTo = vi.fn();
  mountCarousel(document.body);
});

afterEach(() => vi.useRealTimers());

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

const button = (selector: string) => document.querySelector<HTMLButtonElement>(selector) as HTMLButtonElement;

it('shows its buttons, whose arrows link to the next slide and around the ends', () => {
  const buttons = [...document.querySelectorAll('button')];
  expect(buttons.map((each) => each.hidden)).toEqual([false, false, false]);
  button('[data-slide="1"]').click();
  expect(track.scrollTo).toHaveBeenLastCalledWith({ left: WIDTH });
  button('[data-slide="-1"]').click();
  expect(track.scrollTo).toHaveBeenLastCalledWith({ left: WIDTH });
});

it('plays only when asked to, and stops at a press and at a choice', () => {
  vi.useFakeTimers();
  vi.advanceTimersByTime(60_000);
  expect(track.scrollTo).not.toHaveBeenCalled();
  button('[data-play]').click();
  expect(button('[data-play]').ariaLabel).toBe('Pause');
  vi.advanceTimersByTime(6_000);
  expect(track.scrollTo).toHaveBeenCalledTimes(1);
  button('[data-play]').click();
  vi.advanceTimersByTime(60_000);
  expect(track.scrollTo).toHaveBeenCalledTimes(1);
  button('[data-play]').click();
  dots()[0]?.click();
  vi.advanceTimersByTime(60_000);
  expect(track.scrollTo).toHaveBeenCalledTimes(2);
});
