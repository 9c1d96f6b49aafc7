import { loadTextsOf } from '../i18n';
import { load } from '../stores/carts';
import { mountComponent } from '../ui/mount';
import { CartPage, type CartProps } from './CartPage';

/** Replaces the skeleton by the cart and fetches it from the server. */
export default async function mount(element: HTMLElement, props: CartProps): Promise<void> {
  void load();
  await loadTextsOf('cart');
  await mountComponent(element, CartPage, props);
}
