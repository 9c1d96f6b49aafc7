import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { PayResult, type PayResultProps } from './PayResult';

/** Mounts the page a customer comes back to after paying. */
export default async (element: HTMLElement, props: PayResultProps) => {
  await Promise.all([loadTextsOf('result'), loadTextsOf('wallet')]);
  await mountPersonal(element, PayResult, props);
};
