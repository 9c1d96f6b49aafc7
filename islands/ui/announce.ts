import { make } from './dom';

/** Tells a screen reader what a change has led to, where the picture alone shows it. */
export function announce(text: string): void {
  // Everything outside of an open modal dialog is inert, also for a screen reader.
  const home = [...document.querySelectorAll('dialog[open]')].pop() ?? document.body;
  let place = home.querySelector<HTMLElement>(':scope > .announcer');
  if (!place) {
    place = make('p', { class: 'announcer vh', role: 'status' });
    home.append(place);
  }
  const filled = place;
  // A region must be in the page before its text changes.
  setTimeout(() => {
    filled.textContent = text;
  }, 100);
}
