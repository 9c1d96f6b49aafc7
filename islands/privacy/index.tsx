import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Privacy } from './Privacy';

/** Mounts the page on which a customer decides about their data. */
export default async (element: HTMLElement) => {
  await loadTextsOf('privacy');
  await mountPersonal(element, Privacy, {});
};
