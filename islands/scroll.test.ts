import { beforeEach, expect, it, vi } from 'vitest';
import { freshBrowser } from './testing/browser';

let grow: () => void;
const scroll = vi.fn();

/** Opens a page as the loader does, with what its history entry has: nothing unless it was shown before. */
async function openPage(state: unknown) {
  vi.resetModules();
  scroll.mockClear();
  grow = () => {};
  history.replaceState(state, '');
  const { keepScroll } = await import('./scroll');
  keepScroll();
}

beforeEach(() => {
  freshBrowser();
  vi.stubGlobal('scrollTo', scroll);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        grow = callback;
      }
      observe() {}
      disconnect() {
        grow = () => {};
      }
    },
  );
});

function scrollBy(top: number): void {
  vi.stubGlobal('scrollY', top);
  document.dispatchEvent(new Event('scroll'));
}

it('goes back to the stored place as often as the page grows, for 2 s', async () => {
  await openPage({ scroll: 700 });
  vi.advanceTimersByTime(1999);
  grow();
  grow();
  expect(scroll.mock.calls).toEqual([
    [{ top: 700, behavior: 'instant' }],
    [{ top: 700, behavior: 'instant' }],
  ]);
  vi.advanceTimersByTime(1);
  grow();
  expect(scroll).toHaveBeenCalledTimes(2);
});

it.each(['wheel', 'touchstart', 'pointerdown', 'keydown'])(
  'stops where the reader moves: %s',
  async (touch) => {
    await openPage({ scroll: 700 });
    window.dispatchEvent(new Event(touch));
    grow();
    expect(scroll).not.toHaveBeenCalled();
  },
);

it.each([null, { scroll: 0 }, { drawer: 'cart' }])(
  'leaves a page at its top whose entry has %o',
  async (state) => {
    await openPage(state);
    grow();
    expect(scroll).not.toHaveBeenCalled();
  },
);

it('stores the place once scrolling has rested, or as a link is pressed, with what the entry has', async () => {
  await openPage({ drawer: 'cart' });
  scrollBy(300);
  vi.advanceTimersByTime(149);
  expect(history.state).toEqual({ drawer: 'cart' });
  vi.advanceTimersByTime(1);
  expect(history.state).toEqual({ drawer: 'cart', scroll: 300 });
  scrollBy(450);
  document.body.click();
  expect(history.state.scroll).toBe(450);
});

it('does not store the end of a page that is still too short', async () => {
  await openPage({ scroll: 700 });
  scrollBy(120);
  vi.advanceTimersByTime(1000);
  expect(history.state.scroll).toBe(700);
  vi.advanceTimersByTime(1000);
  scrollBy(130);
  vi.advanceTimersByTime(150);
  expect(history.state.scroll).toBe(130);
});
