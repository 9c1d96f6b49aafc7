export type LoginReason = 'orders' | 'checkout' | 'account';

/** Tells why somebody who wants to go to `path` is asked to log in. */
export function reasonToLogIn(path: string): LoginReason {
  const page = path.replace(/^\/zh-hans/, '');
  if (/^\/home\/(account\/order|order)/.test(page)) return 'orders';
  return /^\/home\/c(art|reateOrder)/.test(page) ? 'checkout' : 'account';
}
