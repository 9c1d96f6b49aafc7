/** Lets a test wait as long as its own limit on a busy machine, instead of for a second. */

import { vi } from 'vitest';

const { waitFor } = vi;
vi.waitFor = (callback, options = 20_000) => waitFor(callback, options);
