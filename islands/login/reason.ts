type LoginReason = 'orders' | 'checkout' | 'account';

/** Gives the reason for asking somebody who goes to `path` to log in. */
export function reasonToLogIn(path: string): LoginReason {
  const page = path.replace(/^\/zh-hans/, '');
  if (/^\/home\/(account\/order|order)/.test(page)) return 'orders';
  return /^\/home\/c(art|reateOrder)/.test(page) ? 'checkout' : 'account';
}
