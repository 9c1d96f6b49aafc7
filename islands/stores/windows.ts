/* The windows in which the van brings the draft's products to its address (docs/product.md#delivery-windows). */
import { signal } from '@preact/signals-core';
import { call } from '../api/client';
import type { DeliveryWindows } from '../api/types';
import { freightAddress } from './address';
import type { Loading } from './addresses';
import * as checkout from './checkout';
import { sentProducts } from './order-draft';

/** Null while they are not known. */
export const windows = signal<DeliveryWindows | null>(null);
export const windowsState = signal<Loading>('idle');
/** Why they could not be loaded. */
export const windowsError = signal<unknown>(null);

let requests = 0;

/** Loads the windows for the draft's address; a chosen one that is offered no more is dropped. */
export async function loadWindows(): Promise<void> {
  const request = ++requests;
  windows.value = null;
  windowsState.value = 'idle';
  const { address, deliveryType } = checkout.draft.value;
  if (!address || deliveryType !== 'delivery') return;
  windowsState.value = 'loading';
  try {
    const found = await call<DeliveryWindows>('POST', '/pc/common/deliverySlots', {
      address: freightAddress(address),
      orderGoods: sentProducts(checkout.draft.value),
    });
    if (request === requests) take(found);
  } catch (error) {
    if (request !== requests) return;
    windowsError.value = error;
    windowsState.value = 'failed';
  }
}

function take(found: DeliveryWindows): void {
  windows.value = found;
  windowsState.value = 'ready';
  const { deliverySlot, leaveAtDoor } = checkout.draft.value;
  const isFree = found.slots.some((slot) => slot.deliverySlot === deliverySlot && slot.left > 0);
  if (deliverySlot && !isFree) checkout.noteWishes({ deliverySlot: '', deliveryUntil: '' });
  if (leaveAtDoor && !found.offered) checkout.noteWishes({ leaveAtDoor: false });
}

document.addEventListener('shop:session', () => {
  windows.value = null;
});

/** Shows whether the customer still has to choose a window. */
export function lacksWindow(): boolean {
  const isAnyFree = windows.value?.slots.some((slot) => slot.left > 0) ?? false;
  return isAnyFree && checkout.draft.value.deliverySlot === '';
}
