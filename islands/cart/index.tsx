import { load } from '../stores/carts';
import { mountComponent } from '../ui/mount';
import { CartPage, type CartProps } from './CartPage';

/** Shows the cart in place of the skeleton and fetches the customer's newest from the server. */
export default function mount(element: HTMLElement, props: CartProps): Promise<void> {
  void load();
  return mountComponent(element, CartPage, props);
}
