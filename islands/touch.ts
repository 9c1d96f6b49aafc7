const EVENTS = ['pointerdown', 'pointerover', 'focusin', 'keydown', 'click', 'submit'] as const;

/**
 * Calls `load` at the first touch (pointer, focus or key) of anything in `root` that matches `selector`.
 * A click or a submit that comes before loading has ended is held back and done again after it. Where loading fails,
 * it is done all the same, and the page answers as it does without script; or, where `onLost` is given, it is called
 * instead, the page stays, and the next touch tries again.
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
    if (!begun) void load().then(done, lose);
    begun = true;
    if (event.type === 'click' && !isModified(event as MouseEvent)) hold(event);
    if (event.type === 'submit') holdSubmit(event as SubmitEvent);
  }

  function hold(event: Event): void {
    const control = (event.target as HTMLElement).closest<HTMLElement>('a, button, summary, label, input');
    if (!control) return;
    event.preventDefault();
    event.stopPropagation();
    held.add(control);
  }

  function holdSubmit(event: SubmitEvent): void {
    event.preventDefault();
    if (event.submitter) held.add(event.submitter);
  }

  function lose(error: unknown): void {
    if (!onLost) {
      console.error(error);
      done();
      return;
    }
    begun = false;
    // Whoever only passed over it has asked for nothing.
    if (held.size) onLost();
    held.clear();
  }

  function done(): void {
    for (const name of EVENTS) root.removeEventListener(name, onEvent, true);
    for (const control of held) if (control.isConnected) control.click();
  }

  for (const name of EVENTS) root.addEventListener(name, onEvent, true);
}

function isModified(event: MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
}
