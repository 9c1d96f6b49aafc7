import { mountPersonal } from '../personal';
import { PayResult, type PayResultProps } from './PayResult';

/** Mounts the page a customer comes back to after paying. */
export default (element: HTMLElement, props: PayResultProps) => mountPersonal(element, PayResult, props);
