/*
 * Where a page was scrolled to, stored in its history entry. The browser restores it on Back, but it tries before an
 * island has filled the page (docs/ux.md#interaction).
 */

/** The state of a history entry. */
interface EntryState {
  scroll: number;
}

const SCROLL_REST_MS = 150;
/** Content that comes later moves nothing under a reader's eyes. */
const RESTORES_WITHIN_MS = 2000;
/** What a reader does who wants to be somewhere else. */
const TOUCHES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

let timer: ReturnType<typeof setTimeout> | undefined;
let scrolledUrl = '';
let restoring = false;

/** Stores the scroll position in the history entry: after scrolling has stopped, or immediately without an
event. */
export function storeScroll(event?: Event): void {
  clearTimeout(timer);
  // Until the page is as long as it was, its end is not where the reader was.
  if (restoring) return;
  scrolledUrl = location.href;
  if (event) timer = setTimeout(write, SCROLL_REST_MS);
  else write();
}

function write(): void {
  // The page may have changed in the meantime.
  if (scrolledUrl === location.href)
    history.replaceState({ ...history.state, scroll: scrollY } satisfies EntryState, '');
}

/** Gives the scroll position stored in a history entry. */
export function scrollOf(state: unknown): number {
  return (state as Partial<EntryState> | null)?.scroll ?? 0;
}

/** Keeps the page where its history entry was scrolled to while it grows, for 2 s or until the reader moves. */
function restore(): void {
  const top = scrollOf(history.state);
  // An entry has it only once it was shown before: after Back or a reload.
  if (top === 0) return;
  restoring = true;
  const stop = () => {
    restoring = false;
    grows.disconnect();
    clearTimeout(end);
    for (const type of TOUCHES) removeEventListener(type, stop, true);
  };
  const end = setTimeout(stop, RESTORES_WITHIN_MS);
  // It calls back immediately as well.
  const grows = new ResizeObserver(() => scrollTo({ top, behavior: 'instant' }));
  grows.observe(document.body);
  for (const type of TOUCHES) addEventListener(type, stop, { capture: true, passive: true });
}

/** Stores where the page is scrolled to, and restores it after Back and a reload. */
export function keepScroll(): void {
  restore();
  // The reader may have gone on before this was loaded.
  if (scrollY) storeScroll();
  document.addEventListener('scroll', storeScroll, { passive: true });
  // A link may be pressed before scrolling has rested.
  document.addEventListener('click', () => timer && storeScroll(), true);
}
