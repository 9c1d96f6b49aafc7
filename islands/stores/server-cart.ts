/*
 * The carts that the server stores, ordinary and bulk (docs/product.md#carts, docs/wire.md#cart). A guest's are in the
 * browser only; a customer's are written to the server in the background. Checks are the browser's only.
 *
 * stores/server-cart-rules has what each event changes. This module has the state, and carries out the effects. What
 * changes the lines is in stores/cart-edits: the checkout needs none of it.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals-core';
import { callForEnvelope } from '../api/client';
import type { CartList } from '../api/types';
import { errorText, loadTexts } from '../i18n';
import { dismiss, show, showError } from '../ui/toast';
import { addNotice } from './cart-notices';
import { wordsOf } from './cart-words';
import { refreshed } from './guest-cart';
import { LineWriter } from './line-writer';
import { fetchOf, isChosen, reduce } from './server-cart-rules';
import {
  type CartEffect,
  type CartEvent,
  type CartState,
  emptyCart,
  type Sending,
  type Write,
} from './server-cart-state';
import { account } from './session';
import {
  type CartName,
  countOf,
  onOtherTabChange,
  readSnapshot,
  removeSnapshot,
  writeSnapshot,
} from './snapshot';
import { keepUnsaved, takeUnsaved } from './unsaved';

const WRITE_DELAY_MS = 350;

/** Makes the store of one cart: `type` on the wire, `name` in this browser; the bulk cart has whole cartons. */
export function serverCart(type: 'DirectMailCart' | 'BulkCart', name: CartName) {
  const inCartons = type === 'BulkCart';
  const path = `/pc/shoppingCart?type=${type}`;
  const state = signal(emptyCart(account.value));
  /** The toasts that confirm a change before the server does, by the product's id. */
  const toasts = new Map<number, number>();

  const select = <K extends keyof CartState>(key: K): ReadonlySignal<CartState[K]> =>
    computed(() => state.value[key]);

  const lines = select('lines');
  const texts = select('messages');
  /** The message under a line: why its amount was limited or could not be saved. */
  const messages = computed<Record<number, string>>(() =>
    Object.fromEntries([...texts.value].map(([goodsId, text]) => [goodsId, wordsOf(text)])),
  );
  /** True until the server has confirmed every change. */
  const saving = computed(() => state.value.unsettled.size > 0);
  /** True while the server's cart is fetched. */
  const loading = select('isLoading');
  /** Why the server's cart could not be fetched; else empty. */
  const loadError = computed(() => (state.value.loadError ? errorText(state.value.loadError) : ''));

  /** The lines that go to checkout. */
  const checked = computed(() => lines.value.filter(isChosen));
  const count = computed(() => countOf(lines.value));
  const checkedCount = computed(() => countOf(checked.value));

  const writer = new LineWriter({
    delay: WRITE_DELAY_MS,
    write: (goodsId) => dispatch({ type: 'writeDue', goodsId }),
    failed: (goodsId, error) =>
      dispatch({ type: 'writeFailed', goodsId, error, isOnline: navigator.onLine, now: Date.now() }),
    changed: () => dispatch({ type: 'queueChanged', unsettled: writer.unsettled }),
  });

  /** Applies an event; resolves after the requests that follow it, and raises ShopError if one fails. */
  async function dispatch(event: CartEvent): Promise<void> {
    const { state: next, effects } = reduce(state.peek(), event);
    state.value = next;
    await Promise.all(effects.map(perform));
  }

  function perform(effect: CartEffect): unknown {
    switch (effect.type) {
      case 'restore':
        return dispatch({ type: 'restored', snapshot: readSnapshot(name) });
      case 'store':
        return dispatch({ type: 'stored', isStored: writeSnapshot(name, effect.snapshot) });
      case 'removeStored':
        return removeSnapshot(name);
      case 'keepUnsaved':
        return keepUnsaved(name, effect.unsaved);
      case 'warn':
        return show('warn', wordsOf(effect.text));
      case 'showError':
        return showError(effect.error);
      case 'dismiss':
        return dismiss(toasts.get(effect.goodsId) ?? 0);
      case 'addNotice':
        return addNotice(effect.lines);
      case 'schedule':
        return writer.schedule(effect.goodsId, effect.delay);
      case 'cancelWrites':
        return writer.clear();
      case 'sendNow':
        return writer.sendNow();
      case 'refresh':
        return refreshed(effect.lines, inCartons).then((facts) => dispatch({ type: 'refreshed', facts }));
      case 'load':
        return writer.exclusive(fetchCart).then(
          () => dispatch({ type: 'loaded', customer: effect.customer }),
          (error) => dispatch({ type: 'loadFailed', error }),
        );
      case 'fetch':
        return fetchCart(effect.write);
      case 'send':
        return send(effect);
      case 'clear':
        return writer
          .exclusive(() => callForEnvelope('DELETE', path, undefined, { keepalive: true }))
          .catch((error) => {
            dispatch({ ...effect, type: 'clearFailed' });
            throw error;
          });
    }
  }

  async function fetchCart(write?: Write): Promise<void> {
    await loadTexts();
    const request = fetchOf(state.value, write);
    const pushed = request.guestLines.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount }));
    const answer = await (pushed.length
      ? callForEnvelope<CartList>('POST', `/pc/shoppingcartUpdate?type=${type}`, pushed)
      : callForEnvelope<CartList>('GET', path));
    await dispatch({ ...request, type: 'fetched', answer });
  }

  async function send({ goodsId, stamp, method, body }: Sending): Promise<void> {
    const target = body ? path : `/pc/shoppingCart/${goodsId}?type=${type}`;
    const answer = await callForEnvelope<CartList>(method, target, body, { keepalive: true }).finally(() =>
      dispatch({ type: 'sendingEnded', goodsId }),
    );
    await dispatch({ type: 'answered', goodsId, stamp, answer, isDirty: writer.isDirty(goodsId) });
  }

  let underWay: Promise<void> | undefined;

  /**
   * Updates the cart: a customer's from the server, after sending a guest's lines; a guest's by fetching
   * its products. A customer's failure is in `loadError`.
   */
  function load(): Promise<void> {
    underWay ??= loadTexts()
      .then(() => dispatch({ type: 'loadDue' }))
      .finally(() => {
        underWay = undefined;
      });
    return underWay;
  }

  /** Shows whether this page has got the customer's cart from the server. */
  const isFetched = () => state.value.fetchedFor === account.value;

  /** Takes out the ticked lines of products that were ordered. */
  const removeOrdered = (goodsIds: readonly number[]) => dispatch({ type: 'ordered', goodsIds });

  /**
   * Empties the cart, a customer's on the server too, and removes it from the browser's storage
   * (docs/product.md#carts). Raises ShopError, and then the customer's lines are back.
   */
  const clear = () => dispatch({ type: 'clearDue' });

  /** Waits until the server has every change; a failed change is rolled back by then. */
  const flush = () => writer.flush();

  /** Takes up what the last page of this tab has kept. */
  const resume = () => dispatch({ type: 'resumed', unsaved: takeUnsaved(name, account.value) });

  perform({ type: 'restore' });
  resume();
  onOtherTabChange(() => dispatch({ type: 'otherTabChanged', snapshot: readSnapshot(name) }));
  document.addEventListener('shop:session', () =>
    dispatch({ type: 'sessionChanged', customer: account.value }),
  );
  window.addEventListener('online', () => dispatch({ type: 'networkReturned' }));
  window.addEventListener('pagehide', () => dispatch({ type: 'left', now: Date.now() }));
  window.addEventListener('pageshow', (event) => event.persisted && resume());
  // After a login the cart may not have been fetched yet.
  if (account.value && state.value.owner !== account.value) void load();

  return {
    lines,
    messages,
    saving,
    loading,
    loadError,
    checked,
    count,
    checkedCount,
    load,
    isFetched,
    removeOrdered,
    clear,
    flush,
    /** What `edits` (stores/cart-edits) changes the lines with. */
    editing: { inCartons, toasts, dispatch },
  };
}

export type ServerLines = ReturnType<typeof serverCart>;
