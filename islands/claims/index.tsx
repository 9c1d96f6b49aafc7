import { loadTextsOf } from '../i18n';
import { mountPersonal } from '../personal';
import { ClaimForm } from './ClaimForm';
import { ClaimList } from './ClaimList';
import { ClaimThread } from './ClaimThread';

interface Props {
  /** The list, the form for an order, or one claim. */
  part: 'list' | 'form' | 'thread';
  /** The order's number for the form, the claim's for the thread. */
  number: string;
}

/** Mounts a page of claims. */
export default async (element: HTMLElement, { part, number }: Props) => {
  await Promise.all([loadTextsOf('claims'), loadTextsOf('orders')]);
  if (part === 'form') return mountPersonal(element, ClaimForm, { orderNo: number });
  if (part === 'thread') return mountPersonal(element, ClaimThread, { claimNo: number });
  return mountPersonal(element, ClaimList, {});
};
