import type { Session } from '../api/types';
import { load } from './carts';
import { signIn } from './session';

/**
 * Starts the session that a login or a registration answered, and sends the guest's carts to the server.
 *
 * See docs/product.md#session.
 */
export async function enter(session: Session): Promise<void> {
  signIn(session);
  await load();
}
