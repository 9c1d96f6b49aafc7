/*
 * The carts that the server keeps, the ordinary and the bulk one. A guest's live in the browser alone; a
 * customer's are the server's, changed here at once and written behind (SPEC 4, CONTRACT 3). What is checked is
 * the browser's alone.
 */
import { batch, computed, signal } from '@preact/signals-core';
import { callForEnvelope, type Method, ShopError } from '../api/client';
import type { CartList } from '../api/types';
import { errorText, loadTexts, t } from '../i18n';
import { bothNames } from '../lang';
import { announce } from '../ui/announce';
import { type CartGoods, canBuy, lineOf, most, reconcile, wholeCartons } from './cart-rules';
import { refreshed } from './guest-cart';
import { LineWriter } from './line-writer';
import { account, isLoggedIn } from './session';
import {
  type CartName,
  countOf,
  type Line,
  onOtherTab,
  readSnapshot,
  takeKeepChecks,
  totalOf,
  writeSnapshot,
} from './snapshot';
import { show, showError } from './toast';

const DELAY = 350;

/** Makes the store of one cart: `type` on the wire, `name` in this browser; the bulk cart steps by cartons. */
export function serverCart(type: 'DirectMailCart' | 'BulkCart', name: CartName) {
  const inCartons = type === 'BulkCart';
  const lines = signal<Line[]>([]);
  /** What stands under a line: why it was capped or could not be saved. */
  const messages = signal<Record<number, string>>({});
  /** True while a change is not confirmed by the server. */
  const saving = signal(false);
  /** True while the server's cart is being fetched. */
  const loading = signal(false);
  /** Why the server's cart could not be fetched; empty when it could. */
  const loadError = signal('');

  /** The lines that go to checkout. */
  const checked = computed(() => lines.value.filter((line) => line.checked && canBuy(line)));
  const count = computed(() => countOf(lines.value));
  const checkedCount = computed(() => countOf(checked.value));
  /** The total of the checked lines, in cents. */
  const total = computed(() => totalOf(checked.value));

  /** The lines as the server, or the last page, left them: where a failed change goes back to. */
  let confirmed = new Map<number, Line>();
  let owner = '';

  function set(next: Line[]): void {
    lines.value = next;
    writeSnapshot(name, { owner, lines: next });
  }

  function confirm(next: Line[]): void {
    confirmed = new Map(next.map((line) => [line.goodsId, line]));
  }

  function find(goodsId: number): Line | undefined {
    return lines.value.find((line) => line.goodsId === goodsId);
  }

  function nameOf(line: Line): string {
    return bothNames(line.goodsName, line.goodsEnglishName).name;
  }

  function say(goodsId: number, message: string | undefined): void {
    const { [goodsId]: _old, ...rest } = messages.value;
    messages.value = message ? { ...rest, [goodsId]: message } : rest;
  }

  const writer = new LineWriter({
    delay: DELAY,
    write,
    failed,
    changed: () => (saving.value = writer.unsettled.size > 0),
  });

  async function write(goodsId: number): Promise<void> {
    const amount = find(goodsId)?.goodsAmount ?? 0;
    const known = confirmed.get(goodsId)?.goodsAmount ?? 0;
    if (amount === known) return;
    const [method, path, body]: [Method, string, object?] =
      amount === 0
        ? ['DELETE', `/pc/shoppingCart/${goodsId}?type=${type}`]
        : [known === 0 ? 'POST' : 'PUT', `/pc/shoppingCart?type=${type}`, { goodsId, goodsAmount: amount }];
    const customer = account.value;
    const envelope = await callForEnvelope<CartList>(method, path, body, { keepalive: true });
    if (account.value !== customer) return;
    const unsettled = writer.unsettled;
    if (!writer.isDirty(goodsId)) unsettled.delete(goodsId);
    const next = reconcile(envelope.result.list, lines.value, unsettled);
    confirm(reconcile(envelope.result.list, lines.value, new Set()));
    batch(() => {
      set(next);
      if (envelope.reason) {
        const text = errorText(envelope);
        say(goodsId, text);
        show('warn', text);
      }
    });
  }

  function failed(goodsId: number, error: unknown): void {
    const before = confirmed.get(goodsId);
    const others = lines.value.filter((line) => line.goodsId !== goodsId);
    const place = lines.value.findIndex((line) => line.goodsId === goodsId);
    if (before)
      others.splice(Math.max(place, 0), 0, { ...before, checked: find(goodsId)?.checked ?? before.checked });
    batch(() => {
      set(others);
      say(goodsId, before && t('cart.notSaved', { reason: errorText(error) }));
    });
    // The dialog that follows an invalid login says it all.
    if (!(error instanceof ShopError && error.code === 1001)) showError(error);
  }

  let underWay: Promise<void> | undefined;

  /**
   * Brings the cart up to date: a customer's from the server, taking a guest's lines along; a guest's by asking for
   * each goods. A customer's failure shows in `loadError`.
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
    // A guest may have logged in meanwhile.
    if (!isLoggedIn.value) return;
    loading.value = true;
    try {
      await writer.alone(fetchCart);
      loadError.value = '';
    } catch (error) {
      loadError.value = errorText(error);
    } finally {
      loading.value = false;
    }
  }

  async function fetchCart(): Promise<void> {
    const customer = account.value;
    const guestLines = owner === '' ? lines.value : [];
    const pushed = guestLines.map(({ goodsId, goodsAmount }) => ({ goodsId, goodsAmount }));
    const envelope = await (pushed.length
      ? callForEnvelope<CartList>('POST', `/pc/shoppingcartUpdate?type=${type}`, pushed)
      : callForEnvelope<CartList>('GET', `/pc/shoppingCart?type=${type}`));
    if (account.value !== customer) return;
    const { list, removed = [] } = envelope.result;
    const asked = writer.unsettled;
    const keepChecks = owner === customer || takeKeepChecks(name);
    const shown = lines.value.map((line) => ({
      ...line,
      checked: line.checked && (keepChecks || asked.has(line.goodsId)),
    }));
    owner = customer;
    set(reconcile(list, shown, asked));
    confirm(reconcile(list, shown, new Set()));
    if (envelope.reason) show('warn', errorText(envelope));
    const gone = guestLines.filter((line) => removed.includes(line.goodsId));
    if (gone.length) show('warn', t('cart.gone', { names: gone.map(nameOf).join(t('ui.listComma')) }));
  }

  function mirror(goodsId: number): void {
    say(goodsId, undefined);
    if (isLoggedIn.value) writer.want(goodsId);
  }

  /** Caps an amount at what can be bought and says so; 0 when it falls below the least amount. */
  function allowed(line: Line, asked: number): number {
    const limit = most(line);
    const wanted = wholeCartons(asked, line.cartonSize);
    if (wanted < line.minAmount) return 0;
    if (wanted <= limit) return wanted;
    if (limit < line.minAmount) {
      show('warn', t('cart.soldOut'));
      return 0;
    }
    show(
      'warn',
      line.isAdvance === '1'
        ? t('cart.advanceMost', { count: limit })
        : t('cart.stockMost', { count: limit }),
    );
    return limit;
  }

  /** Sets the amount of a line; 0 or less removes it. */
  function setAmount(goodsId: number, wanted: number): void {
    const line = find(goodsId);
    if (!line) return;
    const amount = wanted <= 0 ? 0 : allowed(line, wanted);
    set(
      lines.value.flatMap((other) => {
        if (other.goodsId !== goodsId) return [other];
        return amount > 0 ? [{ ...other, goodsAmount: amount }] : [];
      }),
    );
    mirror(goodsId);
    const name = nameOf(line);
    announce(amount > 0 ? t('cart.changed', { name, count: amount }) : t('cart.removed', { name }));
  }

  /** Adds to the amount of a line, or takes off. */
  function change(goodsId: number, delta: number): void {
    setAmount(goodsId, (find(goodsId)?.goodsAmount ?? 0) + delta);
  }

  function remove(goodsId: number): void {
    setAmount(goodsId, 0);
  }

  /** Puts a goods into the cart, or adds to its line; it is checked then. New lines go to the front. */
  function add(goods: CartGoods, amount: number): void {
    if (!put(goods, (find(goods.goodsId)?.goodsAmount ?? 0) + amount)) return;
    show('ok', t('cart.added', { name: bothNames(goods.goodsName, goods.goodsEnglishName).name }));
  }

  /** Puts exactly `amount` of a goods into the cart and checks nothing else: the way to buy it now. */
  function putOnly(goods: CartGoods, amount: number): void {
    if (!put(goods, amount)) return;
    set(lines.value.map((line) => ({ ...line, checked: line.goodsId === goods.goodsId })));
  }

  /** Tells whether anything of the goods could be put in. */
  function put(goods: CartGoods, wanted: number): boolean {
    const fresh = lineOf(goods, 0, inCartons);
    const amount = allowed(fresh, Math.max(wanted, goods.minAmount));
    if (amount === 0) return false;
    const line = { ...fresh, goodsAmount: amount };
    set(
      find(goods.goodsId)
        ? lines.value.map((other) => (other.goodsId === goods.goodsId ? line : other))
        : [line, ...lines.value],
    );
    mirror(goods.goodsId);
    return true;
  }

  /** Checks or unchecks one line. */
  function check(goodsId: number, on: boolean): void {
    set(
      lines.value.map((line) => (line.goodsId === goodsId ? { ...line, checked: on && canBuy(line) } : line)),
    );
  }

  /** Checks every line that can be bought, or unchecks all. */
  function checkAll(on: boolean): void {
    set(lines.value.map((line) => ({ ...line, checked: on && canBuy(line) })));
  }

  /** Waits until the server knows every change; a change that failed is taken back by then. */
  function flush(): Promise<void> {
    return writer.flush();
  }

  function restore(): void {
    const snapshot = readSnapshot(name);
    owner = snapshot.owner;
    confirm(snapshot.lines);
    lines.value = snapshot.lines;
  }

  /** Takes over what another tab has done, but for the checks and for what is still being written here. */
  function takeOver(): void {
    const snapshot = readSnapshot(name);
    const own = new Map(lines.value.map((line) => [line.goodsId, line]));
    const unsettled = writer.unsettled;
    owner = snapshot.owner;
    confirm(snapshot.lines);
    lines.value = snapshot.lines.map((line) => {
      const mine = own.get(line.goodsId);
      if (mine && unsettled.has(line.goodsId)) return mine;
      return { ...line, checked: mine?.checked ?? line.checked };
    });
  }

  restore();
  onOtherTab(takeOver);
  document.addEventListener('shop:session', () => {
    if (isLoggedIn.value) return;
    writer.forget();
    messages.value = {};
    restore();
  });
  window.addEventListener('pagehide', () => writer.leave());
  // A login whose cart could not be fetched then.
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
    total,
    load,
    setAmount,
    change,
    remove,
    add,
    putOnly,
    check,
    checkAll,
    flush,
  };
}

export type ServerCart = ReturnType<typeof serverCart>;
