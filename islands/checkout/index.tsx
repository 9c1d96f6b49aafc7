import { mountComponent } from '../ui/mount';
import { Checkout, type CheckoutProps } from './Checkout';

// Each step is a page of its own, so neither loads the other's script.
const STEPS = {
  delivery: async () => (await import('./Delivery')).Delivery,
  payType: async () => (await import('./PayStep')).PayStep,
};

/** Takes over a step of the checkout. */
export default async (element: HTMLElement, props: CheckoutProps) =>
  mountComponent(element, Checkout, { ...props, Step: await STEPS[props.step]() });
