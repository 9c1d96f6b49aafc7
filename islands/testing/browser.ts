import { vi } from 'vitest';

const listening: (() => void)[] = [];

for (const target of [document, window] as EventTarget[]) {
  const listen = target.addEventListener.bind(target);
  target.addEventListener = (type, listener, options) => {
    listen(type, listener, options);
    listening.push(() => target.removeEventListener(type, listener, options));
  };
}

/** Starts from an empty browser at a page in English, where no earlier page listens any more. */
export function freshBrowser(): void {
  for (const stop of listening.splice(0)) stop();
  vi.resetModules();
  vi.useFakeTimers();
  localStorage.clear();
  sessionStorage.clear();
  document.body.replaceChildren();
  document.documentElement.lang = 'en-AU';
}

/** Puts a session into the browser, as a login on an earlier page has left it. */
export function logInAs(account: string): void {
  localStorage.setItem('account', account);
  localStorage.setItem('nickname', 'Mei');
  localStorage.setItem('level', '1');
  localStorage.setItem('token', `token-of-${account}`);
}
