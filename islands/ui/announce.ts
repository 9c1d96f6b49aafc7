import { make } from './dom';

/** Announces a change to screen readers. */
export function announce(text: string): void {
  // Everything outside of an open modal dialog is inert, also for a screen reader.
  const parent = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;
  let liveRegion = parent.querySelector<HTMLElement>(':scope > .announcer');
  if (!liveRegion) {
    liveRegion = make('p', { class: 'announcer vh', role: 'status' });
    parent.append(liveRegion);
  }
  const target = liveRegion;
  // A live region must be in the page before its text changes.
  setTimeout(() => {
    target.textContent = text;
  }, 100);
}
