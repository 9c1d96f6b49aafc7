import { vi } from 'vitest';

interface TestDocument extends Document {
  /** What removes the listeners of the page, one by one. */
  endings?: (() => void)[];
}

/** Notes every listener that is added to the page from now on. */
function noteListeners(): (() => void)[] {
  const endings: (() => void)[] = [];
  for (const target of [document, window] as EventTarget[]) {
    const listen = target.addEventListener.bind(target);
    target.addEventListener = (type, listener, options) => {
      listen(type, listener, options);
      endings.push(() => target.removeEventListener(type, listener, options));
    };
  }
  return endings;
}

/** Resets the browser to an empty English page without the listeners, modules and data of earlier tests. */
export function freshPage(): void {
  // Test files share the document, but not this module.
  const page = document as TestDocument;
  page.endings ??= noteListeners();
  for (const end of page.endings.splice(0)) end();
  vi.resetModules();
  localStorage.clear();
  sessionStorage.clear();
  // A new body has no listeners either.
  document.body.replaceWith(document.createElement('body'));
  document.documentElement.lang = 'en-AU';
}

/** Resets the browser as `freshPage` does, and stops its time. */
export function freshBrowser(): void {
  freshPage();
  vi.useFakeTimers();
}

/** Stores a session, as a login on an earlier page does. */
export function logInAs(account: string): void {
  localStorage.setItem('account', account);
  localStorage.setItem('nickname', 'Mei');
  localStorage.setItem('level', '1');
  localStorage.setItem('token', `token-of-${account}`);
}
