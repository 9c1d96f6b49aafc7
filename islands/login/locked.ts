import { ShopError } from '../api/errors';
import { t } from '../i18n';

/** Shows for how many minutes more the shop takes no login password; null of any other error. */
export function lockText(error: unknown): string | null {
  // A busy shop asks to wait for a second or two.
  if (!(error instanceof ShopError) || error.reason !== 'too_frequent' || error.retryAfter < 60) return null;
  return t('login.locked', { count: Math.ceil(error.retryAfter / 60) });
}
