import { mountPersonal } from '../personal';
import { Checkout, type CheckoutProps } from './Checkout';

// Each step is its own page, so neither loads the other's script.
const STEPS = {
  delivery: async () => (await import('./Delivery')).Delivery,
  payType: async () => (await import('./PayStep')).PayStep,
};

/** Mounts a step of the checkout. */
export default async (element: HTMLElement, props: CheckoutProps) =>
  mountPersonal(element, Checkout, { ...props, Step: await STEPS[props.step]() });
