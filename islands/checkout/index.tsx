import { mountPersonal } from '../personal';
import { isLoggedIn } from '../stores/session';
import { Checkout, type CheckoutProps } from './Checkout';

// Each step is its own page, a guest's too, so none loads another's script.
const STEPS = {
  delivery: async () =>
    isLoggedIn.value
      ? (await import('./Delivery')).Delivery
      : (await import('./GuestDelivery')).GuestDelivery,
  payType: async () => (await import('./PayStep')).PayStep,
};

/** Mounts a step of the checkout. */
export default async (element: HTMLElement, props: CheckoutProps) =>
  mountPersonal(element, Checkout, { ...props, Step: await STEPS[props.step]() });
