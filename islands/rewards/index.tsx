import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { Rewards } from './Rewards';

/** Mounts the page of the customer's points and level. */
export default async (element: HTMLElement) => {
  await Promise.all([loadTextsOf('orders'), loadTextsOf('points')]);
  await mountPersonal(element, Rewards, {});
};
