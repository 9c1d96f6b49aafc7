type LoginReason = 'orders' | 'checkout' | 'account';

/** Gives the reason to show for a login on the way to `path`. */
export function reasonToLogIn(path: string): LoginReason {
  const page = path.replace(/^\/zh-hans/, '');
  if (/^\/home\/(account\/order|order)/.test(page)) return 'orders';
  return /^\/home\/c(art|reateOrder)/.test(page) ? 'checkout' : 'account';
}
