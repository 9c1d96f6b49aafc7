/* What vitest compiles JSX to; `jsx-runtime.ts` explains it. */
import { jsx, jsxs } from './jsx-runtime';

/** Makes an element as `jsxs` does if its children are written next to each other, else as `jsx` does. */
export function jsxDEV(
  type: Parameters<typeof jsx>[0],
  props: Parameters<typeof jsx>[1],
  key: string | undefined,
  isOfMany: boolean,
) {
  return (isOfMany ? jsxs : jsx)(type, props, key);
}

export { Fragment, type JSX } from './jsx-runtime';
