/** Prepares each test file, of which several may share a DOM. */

import { afterAll, afterEach, vi } from 'vitest';

/** A test waits as long as its own limit on a busy machine, instead of for a second. */
const WAIT_MS = 20_000;

const { waitFor } = vi;
vi.waitFor = (callback, options = WAIT_MS) => waitFor(callback, options);

if (typeof document !== 'undefined') {
  const { freshPage } = await import('./browser');
  freshPage();
  document.head.replaceChildren();
  history.replaceState(null, '', '/');

  // Otherwise a module whose import is under way is loaded in the next test and calls its shop.
  afterEach(() => vi.dynamicImportSettled());

  afterAll(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
}
