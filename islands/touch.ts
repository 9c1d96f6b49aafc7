const EVENTS = ['pointerdown', 'pointerover', 'focusin', 'keydown', 'click', 'submit'] as const;

/**
 * Calls `load` at the first touch (pointer, focus or key) of anything in `root` that matches `selector`.
 *
 * Clicks and submits during loading are held and repeated after it; until then what was pressed is busy. If loading
 * fails they are repeated too, and the page works as it does without script; or, with `onLost`, that is called, and the next touch or the return of the
 * network loads again, which what was clicked waits for.
 */
export function whenTouched(
  root: HTMLElement,
  load: () => Promise<void>,
  selector?: string,
  onLost?: () => void,
): void {
  let begun = false;
  const held = new Set<HTMLElement>();

  function onEvent(event: Event): void {
    const target = event.target as HTMLElement;
    if (selector && !target.closest?.(selector)) return;
    if (event.type === 'click' && !isModified(event as MouseEvent)) hold(event);
    if (event.type === 'submit') holdSubmit(event as SubmitEvent);
    begin();
  }

  function begin(): void {
    if (!begun) void load().then(done, fail);
    begun = true;
  }

  function hold(event: Event): void {
    const control = (event.target as HTMLElement).closest<HTMLElement>('a, button, summary, label, input');
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    keep(control);
  }

  function holdSubmit(event: SubmitEvent): void {
    event.preventDefault();
    if (event.submitter) keep(event.submitter);
  }

  function keep(control: HTMLElement): void {
    held.add(control);
    control.setAttribute('aria-busy', 'true');
  }

  function fail(error: unknown): void {
    if (!onLost) {
      console.error(error);
      done();
      return;
    }
    begun = false;
    // A mere hover asked for nothing.
    if (held.size === 0) return;
    onLost();
    window.addEventListener('online', begin, { once: true });
  }

  function done(): void {
    for (const name of EVENTS) root.removeEventListener(name, onEvent, true);
    for (const control of held) {
      control.removeAttribute('aria-busy');
      if (control.isConnected) control.click();
    }
  }

  for (const name of EVENTS) root.addEventListener(name, onEvent, true);
}

function isModified(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
}

/** Resolves as soon as a reader does something here or in another tab, or sees the page again. */
export function whenUsed(): Promise<void> {
  return new Promise((resolve) => {
    const types = ['wheel', 'touchstart', 'pointerdown', 'keydown', 'storage', 'visibilitychange'];
    for (const type of types)
      addEventListener(type, () => resolve(), { capture: true, once: true, passive: true });
  });
}
