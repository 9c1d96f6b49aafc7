/** Control characters, separators and invisible marks: browsers strip some of them from a URL. */
const STRIPPED_BY_BROWSERS = /[\p{Cc}\p{Z}\p{Cf}]/u;
const ENCODED_SEPARATORS = /%(?:0[0-9a-f]|1[0-9a-f]|2f|5c|7f)/i;
const LOGIN_PAGE = /^(?:\/zh-hans)?\/home\/login(?:\/|$)/;

/**
 * Gives the path to go to after login, or `fallback` when the requested one could leave this shop
 * (docs/ux.md#interaction).
 *
 * Only a path of our own origin passes: no scheme, host, user information, backslash or control character,
 * plain or percent-encoded in the path, and never the login page itself.
 */
export function safeRedirect(asked: string | null | undefined, fallback: string, origin: string): string {
  if (!asked?.startsWith('/') || asked.length > 2000) return fallback;
  if (asked.includes('\\') || STRIPPED_BY_BROWSERS.test(asked)) return fallback;
  let url: URL;
  try {
    url = new URL(asked, origin);
  } catch {
    return fallback;
  }
  const leavesShop = url.origin !== origin || url.username !== '' || url.password !== '';
  // "/.//elsewhere" becomes the path "//elsewhere", which a browser would read as a host.
  const ambiguous = url.pathname.startsWith('//') || ENCODED_SEPARATORS.test(url.pathname);
  if (leavesShop || ambiguous || LOGIN_PAGE.test(url.pathname)) return fallback;
  return url.pathname + url.search + url.hash;
}
