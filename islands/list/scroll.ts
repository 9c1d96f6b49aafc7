/** What an entry of the history keeps of the list it shows. */
interface Kept {
  scroll: number;
}

const REST = 150;
let timer: ReturnType<typeof setTimeout> | undefined;
let at = '';

/** Writes the scroll position into the entry in view, once scrolling rests; at once where an entry is about to be left. */
export function keepScroll(event?: Event): void {
  clearTimeout(timer);
  at = location.href;
  if (event) timer = setTimeout(write, REST);
  else write();
}

function write(): void {
  // The reader may have gone on meanwhile.
  if (at === location.href) history.replaceState({ ...history.state, scroll: scrollY } satisfies Kept, '');
}

/** Reads the scroll position that an entry of the history has kept. */
export function scrollOf(state: unknown): number {
  return (state as Partial<Kept> | null)?.scroll ?? 0;
}
