/** The state of a history entry of the list. */
interface EntryState {
  scroll: number;
}

const SCROLL_REST_MS = 150;
let timer: ReturnType<typeof setTimeout> | undefined;
let scrolledUrl = '';

/** Stores the scroll position in the history entry: after scrolling has stopped, or at once without an event. */
export function storeScroll(event?: Event): void {
  clearTimeout(timer);
  scrolledUrl = location.href;
  if (event) timer = setTimeout(write, SCROLL_REST_MS);
  else write();
}

function write(): void {
  // The page may have changed meanwhile.
  if (scrolledUrl === location.href)
    history.replaceState({ ...history.state, scroll: scrollY } satisfies EntryState, '');
}

/** Gives the scroll position stored in a history entry. */
export function scrollOf(state: unknown): number {
  return (state as Partial<EntryState> | null)?.scroll ?? 0;
}
