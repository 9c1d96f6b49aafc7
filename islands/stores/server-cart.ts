/*
 * The carts that the server stores, ordinary and bulk (docs/product.md#carts, docs/wire.md#cart). A guest's are in the
 * browser only; a customer's are written to the server in the background. Checks are the browser's only. What changes the lines
 * is in stores/cart-edits: the checkout needs none of it.
 */
import { batch, computed, signal } from '@preact/signals-core';
import { callForEnvelope, type Method, ShopError } from '../api/client';
import type { CartList } from '../api/types';
import { errorText, loadTexts, t } from '../i18n';
import { dismiss, show, showError } from '../ui/toast';
import { addNotice } from './cart-notices';
import { atMost, canBuy, reconcile } from './cart-rules';
import { cappedText, namesOf } from './cart-words';
import { refreshed } from './guest-cart';
import { LineWriter } from './line-writer';
import { account, isLoggedIn } from './session';
import {
  type CartName,
  countOf,
  type Line,
  onOtherTabChange,
  readSnapshot,
  removeSnapshot,
  writeSnapshot,
} from './snapshot';
import { keepUnsaved, takeUnsaved, type Unsent } from './unsaved';

const WRITE_DELAY_MS = 350;
/** What the last page has sent while it was left reaches the server before its cart is asked for. */
const RESUME_DELAY_MS = 2000;
/** Without a network it is tried again after this time, and as soon as the browser reports one. */
const RETRY_MS = 30_000;
/** A page that is being left loses its requests at most so long before it goes. */
const LEAVES_WITHIN_MS = 1000;

/** Makes the store of one cart: `type` on the wire, `name` in this browser; the bulk cart has whole cartons. */
export function serverCart(type: 'DirectMailCart' | 'BulkCart', name: CartName) {
  const inCartons = type === 'BulkCart';
  const lines = signal<Line[]>([]);
  /** The message under a line: why its amount was limited or could not be saved. */
  const messages = signal<Record<number, string>>({});
  /** True until the server has confirmed every change. */
  const saving = signal(false);
  /** True while the server's cart is fetched. */
  const loading = signal(false);
  /** Why the server's cart could not be fetched; else empty. */
  const loadError = signal('');

  /** The lines that go to checkout. */
  const checked = computed(() => lines.value.filter((line) => line.checked && canBuy(line)));
  const count = computed(() => countOf(lines.value));
  const checkedCount = computed(() => countOf(checked.value));

  /** The lines before unconfirmed changes, to which a failed change is rolled back. */
  let confirmed = new Map<number, Line>();
  let owner = '';
  /** The amounts that requests under way set, which the server may have already. */
  const sent = new Map<number, number>();
  /** The toasts that confirm a change before the server does, by the product's id. */
  const succeeded = new Map<number, number>();

  /**
   * Changes of the last page, or without a network, that the server may not have: the amounts that it had, and that
   * were wanted.
   */
  const resumed = new Map<number, { known: number; wanted: number }>();
  /** Changes that met no network, and when: the browser may have dropped them since the page is being left. */
  const lost = new Map<number, { unsent: Unsent; at: number }>();
  let isStored = true;
  let isLeaving = false;
  /** Counts how often the cart was cleared: an answer to an earlier request no longer counts. */
  let clearings = 0;

  function set(next: Line[]): void {
    lines.value = next;
    isStored = writeSnapshot(name, { owner, lines: next });
  }

  function setConfirmed(next: Line[]): void {
    confirmed = new Map(next.map((line) => [line.goodsId, line]));
  }

  function find(goodsId: number): Line | undefined {
    return lines.value.find((line) => line.goodsId === goodsId);
  }

  function setMessage(goodsId: number, message: string | undefined): void {
    const { [goodsId]: _old, ...rest } = messages.value;
    messages.value = message ? { ...rest, [goodsId]: message } : rest;
  }

  const writer = new LineWriter({
    delay: WRITE_DELAY_MS,
    write,
    failed,
    changed: () => (saving.value = writer.unsettled.size > 0),
  });

  async function write(goodsId: number): Promise<void> {
    const customer = account.value;
    const clearing = clearings;
    const resuming = resumed.get(goodsId);
    lost.delete(goodsId);
    // It is kept once more, and compared by the next page.
    if (resuming && isLeaving) return;
    // The server may not have a guest's lines yet, and its answer would remove them here.
    if (owner !== customer || resuming) await loadTexts().then(fetchCart);
    // The next customer's cart, or a guest's, has changes of its own.
    if (account.value !== customer || clearings !== clearing) return;
    const amount = find(goodsId)?.goodsAmount ?? 0;
    const known = confirmed.get(goodsId)?.goodsAmount ?? 0;
    if (resumed.delete(goodsId)) setMessage(goodsId, undefined);
    // It was changed since, perhaps on another device.
    if (resuming && resuming.wanted === amount && resuming.known !== known) return rollBack(goodsId);
    const before = sent.get(goodsId) ?? known;
    if (amount === before) return;
    // Additions add up, in whichever order they arrive.
    // The shop ignores `before`; without it an equal one cancels the first.
    // What a page repeats for the one before it is set instead: it may have arrived after all.
    const adds = known === 0 && amount > before && !resuming;
    const goodsAmount = adds ? amount - before : amount;
    const [method, path, body]: [Method, string, object?] =
      amount === 0
        ? ['DELETE', `/pc/shoppingCart/${goodsId}?type=${type}`]
        : [
            adds ? 'POST' : 'PUT',
            `/pc/shoppingCart?type=${type}`,
            { goodsId, goodsAmount, before, after: known === 0 ? aboveOf(goodsId) : undefined },
          ];
    sent.set(goodsId, amount);
    const envelope = await callForEnvelope<CartList>(method, path, body, { keepalive: true }).finally(() =>
      sent.delete(goodsId),
    );
    if (account.value !== customer || clearings !== clearing) return;
    const unsettled = writer.unsettled;
    if (!writer.isDirty(goodsId)) unsettled.delete(goodsId);
    const next = reconcile(envelope.result.list, lines.value, unsettled);
    setConfirmed(reconcile(envelope.result.list, lines.value, new Set()));
    batch(() => {
      set(next);
      if (envelope.reason) warn(goodsId, envelope);
    });
  }

  /** Shows that the server's cart has another amount than asked for. */
  function warn(goodsId: number, answer: { reason?: string; msg: string }): void {
    const line = find(goodsId);
    const isCapped = line && answer.reason === 'amount_above_limit';
    const text = isCapped ? atMost(line) : errorText(answer);
    setMessage(goodsId, text);
    dismiss(succeeded.get(goodsId) ?? 0);
    show('warn', isCapped ? cappedText([line]) : text);
  }

  /** Gives the product above a line; undefined for the first one. */
  function aboveOf(goodsId: number): number | undefined {
    const place = lines.value.findIndex((line) => line.goodsId === goodsId);
    return lines.value[place - 1]?.goodsId;
  }

  /** Shows a line as the server has it. */
  function rollBack(goodsId: number): void {
    const before = confirmed.get(goodsId);
    const others = lines.value.filter((line) => line.goodsId !== goodsId);
    const index = lines.value.findIndex((line) => line.goodsId === goodsId);
    if (before)
      others.splice(Math.max(index, 0), 0, { ...before, checked: find(goodsId)?.checked ?? before.checked });
    set(others);
  }

  /** Keeps a change until there is a network (docs/product.md#carts). */
  function hold(goodsId: number): void {
    const { known } = unsentOf(goodsId);
    resumed.set(goodsId, { known, wanted: find(goodsId)?.goodsAmount ?? 0 });
    if (!messages.value[goodsId]) show('warn', t('cart.waits'));
    setMessage(goodsId, t('cart.waits'));
    writer.schedule(goodsId, RETRY_MS);
  }

  function failed(goodsId: number, error: unknown): void {
    // The next page looks after it.
    if (isLeaving) return;
    if (error instanceof ShopError && error.reason === 'network') {
      if (!navigator.onLine) {
        hold(goodsId);
        return;
      }
      lost.set(goodsId, { unsent: unsentOf(goodsId), at: Date.now() });
    }
    batch(() => {
      rollBack(goodsId);
      setMessage(goodsId, confirmed.has(goodsId) ? t('cart.notSaved', { reason: errorText(error) }) : '');
    });
    dismiss(succeeded.get(goodsId) ?? 0);
    // An invalid login opens a dialog of its own.
    if (!(error instanceof ShopError && error.code === 1001)) showError(error);
  }

  let underWay: Promise<void> | undefined;
  /** The customer whose cart this page has got from the server. */
  let fetchedFor = '';

  /** Shows whether this page has got the customer's cart from the server. */
  const isFetched = () => fetchedFor === account.value;

  /**
   * Updates the cart: a customer's from the server, after sending a guest's lines; a guest's by fetching
   * its products. A customer's failure is in `loadError`.
   */
  function load(): Promise<void> {
    underWay ??= reload().finally(() => {
      underWay = undefined;
    });
    return underWay;
  }

  async function reload(): Promise<void> {
    await loadTexts();
    if (!isLoggedIn.value) {
      const fresh = await refreshed(lines.value, inCartons);
      set(lines.value.map((line) => ({ ...line, ...fresh.get(line.goodsId) })));
    }
    // The guest may have logged in during the request.
    if (!isLoggedIn.value) return;
    const customer = account.value;
    loading.value = true;
    try {
      await writer.exclusive(fetchCart);
      fetchedFor = customer;
    } catch (error) {
      loadError.value = errorText(error);
    } finally {
      loading.value = false;
    }
  }

  async function fetchCart(): Promise<void> {
    const customer = account.value;
    const clearing = clearings;
    const guestLines = owner === '' ? lines.value : [];
    const pushed = guestLines.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount }));
    const envelope = await (pushed.length
      ? callForEnvelope<CartList>('POST', `/pc/shoppingcartUpdate?type=${type}`, pushed)
      : callForEnvelope<CartList>('GET', `/pc/shoppingCart?type=${type}`));
    if (account.value !== customer || clearings !== clearing) return;
    const { list, removed = [] } = envelope.result;
    const asked = writer.unsettled;
    // Another customer's checks are not this one's.
    const keepsChecks = owner === customer || owner === '';
    const shown = lines.value.map((line) => ({
      ...line,
      checked: line.checked && (keepsChecks || asked.has(line.goodsId)),
    }));
    owner = customer;
    loadError.value = '';
    set(reconcile(list, shown, asked));
    setConfirmed(reconcile(list, shown, new Set()));
    const capped = list.filter(({ goodsId, goodsAmount }) =>
      guestLines.some((line) => line.goodsId === goodsId && line.goodsAmount > goodsAmount),
    );
    if (envelope.reason) show('warn', capped.length ? cappedText(capped) : errorText(envelope));
    const gone = guestLines.filter((line) => removed.includes(line.goodsId));
    if (gone.length === 0) return;
    // The page may be left immediately, as after a login.
    addNotice(gone);
    show('warn', t('cart.gone', { names: namesOf(gone) }));
  }

  function scheduleWrite(goodsId: number): void {
    setMessage(goodsId, undefined);
    if (isLoggedIn.value) writer.schedule(goodsId);
  }

  /** Waits until the server has every change; a failed change is rolled back by then. */
  function flush(): Promise<void> {
    return writer.flush();
  }

  /**
   * Empties the cart, a customer's on the server too, and removes it from the browser's storage
   * (docs/product.md#carts). Raises ShopError, and then the customer's lines are back.
   */
  async function clear(): Promise<void> {
    const customer = account.value;
    const before = confirmed;
    const isChecked = new Set(checked.value.map((line) => line.goodsId));
    clearings += 1;
    writer.clear();
    resumed.clear();
    lost.clear();
    confirmed = new Map();
    batch(() => {
      messages.value = {};
      lines.value = [];
    });
    removeSnapshot(name);
    if (!isLoggedIn.value) return;
    try {
      const path = `/pc/shoppingCart?type=${type}`;
      await writer.exclusive(() => callForEnvelope('DELETE', path, undefined, { keepalive: true }));
    } catch (error) {
      if (account.value === customer) {
        const back = [...before.values()].filter((line) => !find(line.goodsId));
        for (const line of back) confirmed.set(line.goodsId, line);
        set([
          ...lines.value,
          ...back.map((line) => ({ ...line, checked: isChecked.has(line.goodsId) && canBuy(line) })),
        ]);
      }
      throw error;
    }
  }

  function restore(): void {
    const snapshot = readSnapshot(name);
    owner = snapshot.owner;
    setConfirmed(snapshot.lines);
    lines.value = snapshot.lines;
  }

  function unsentOf(goodsId: number): Unsent {
    const known = resumed.get(goodsId)?.known ?? confirmed.get(goodsId)?.goodsAmount ?? 0;
    return { goodsId, known, line: find(goodsId) ?? null };
  }

  /** Keeps what only this page knows, and sends what the server does not have yet. */
  function leave(): void {
    isLeaving = true;
    const isCustomers = owner === account.value && isLoggedIn.value;
    const waiting = isCustomers ? [...writer.unsettled] : [];
    const dropped = [...lost.values()].filter(
      ({ unsent, at }) =>
        isCustomers && at > Date.now() - LEAVES_WITHIN_MS && !waiting.includes(unsent.goodsId),
    );
    keepUnsaved(name, {
      owner,
      unsent: [...waiting.map(unsentOf), ...dropped.map(({ unsent }) => unsent)],
      lines: isStored ? undefined : lines.value,
    });
    writer.sendNow();
  }

  /** Takes up what the last page of this tab has kept. */
  function resume(): void {
    isLeaving = false;
    const unsaved = takeUnsaved(name, account.value);
    if (!unsaved) return;
    if (unsaved.lines) {
      owner = unsaved.owner;
      set(unsaved.lines);
    }
    for (const { goodsId, known, line } of unsaved.unsent ?? []) {
      const others = lines.value.filter((other) => other.goodsId !== goodsId);
      const index = lines.value.findIndex((other) => other.goodsId === goodsId);
      if (line) others.splice(Math.max(index, 0), 0, line);
      set(others);
      resumed.set(goodsId, { known, wanted: line?.goodsAmount ?? 0 });
      writer.schedule(goodsId, RESUME_DELAY_MS);
    }
  }

  /** Applies another tab's changes, except checks and lines that are still being written here. */
  function applyOtherTab(): void {
    const snapshot = readSnapshot(name);
    const own = new Map(lines.value.map((line) => [line.goodsId, line]));
    const unsettled = writer.unsettled;
    const theirs = new Set(snapshot.lines.map((line) => line.goodsId));
    const waiting = lines.value.filter((line) => unsettled.has(line.goodsId) && !theirs.has(line.goodsId));
    const taken = snapshot.lines.flatMap((line) => {
      const mine = own.get(line.goodsId);
      if (unsettled.has(line.goodsId)) return mine ? [mine] : [];
      return [{ ...line, checked: mine?.checked ?? line.checked }];
    });
    // Unwritten lines differ from the server's, whatever another tab shows.
    const unconfirmed = [...confirmed.values()].filter((line) => unsettled.has(line.goodsId));
    setConfirmed([...unconfirmed, ...snapshot.lines.filter((line) => !unsettled.has(line.goodsId))]);
    // A cart that another tab has cleared is no longer stored.
    const isCleared = snapshot.owner === '' && snapshot.lines.length === 0 && isLoggedIn.value;
    if (!isCleared) owner = snapshot.owner;
    lines.value = [...waiting, ...taken];
  }

  restore();
  resume();
  onOtherTabChange(applyOtherTab);
  let customer = account.value;
  document.addEventListener('shop:session', () => {
    const before = customer;
    customer = account.value;
    // A guest's lines and changes go along to the login.
    if (!before || before === customer) return;
    writer.clear();
    resumed.clear();
    lost.clear();
    messages.value = {};
    restore();
  });
  window.addEventListener('online', () => {
    for (const goodsId of resumed.keys()) writer.schedule(goodsId, 0);
  });
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', (event) => event.persisted && resume());
  // After a login the cart may not have been fetched yet.
  if (isLoggedIn.value && owner !== account.value) void load();

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
    clear,
    flush,
    /** What `edits` (stores/cart-edits) changes the lines with. */
    editing: { inCartons, succeeded, find, set, setMessage, scheduleWrite },
  };
}

export type ServerLines = ReturnType<typeof serverCart>;
