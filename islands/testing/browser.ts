import { vi } from 'vitest';

const listeners: (() => void)[] = [];

for (const target of [document, window] as EventTarget[]) {
  const listen = target.addEventListener.bind(target);
  target.addEventListener = (type, listener, options) => {
    listen(type, listener, options);
    listeners.push(() => target.removeEventListener(type, listener, options));
  };
}

/** Resets the browser to an empty English page without the listeners of earlier tests. */
export function freshBrowser(): void {
  for (const stop of listeners.splice(0)) stop();
  vi.resetModules();
  vi.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  document.documentElement.lang = 'en-AU';
}

/** Stores a session, as a login on an earlier page does. */
export function logInAs(account: string): void {
  localStorage.setItem('account', account);
  localStorage.setItem('nickname', 'Mei');
  localStorage.setItem('level', '1');
  localStorage.setItem('token', `token-of-${account}`);
}
