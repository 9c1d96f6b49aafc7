import { load } from './carts';
import { type Session, signIn } from './session';

/** Starts a session with what login or register answered, and takes the guest's cart along (SPEC 4). */
export async function enter(session: Session): Promise<void> {
  signIn(session);
  await load();
}
