import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { PayResult, type PayResultProps } from './PayResult';

/** Mounts the page a customer comes back to after paying. */
export default async (element: HTMLElement, props: PayResultProps) => {
  await loadTextsOf('result');
  await mountPersonal(element, PayResult, props);
};
