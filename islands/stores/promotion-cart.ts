/*
 * The promotion cart: one group for each promotion, stored in this browser only; the server checks it again when the
 * order is placed (docs/product.md#carts, docs/wire.md#cart). A group is valid until its promotion ends, by the
 * server's time, and is dropped then.
 */
import { computed, signal } from '@preact/signals-core';
import { countDown, serverNow, syncClock } from '../clock';
import { loadTexts, t } from '../i18n';
import { bothNames } from '../lang';
import { announce } from '../ui/announce';
import { show } from '../ui/toast';
import { addNotice } from './cart-notices';
import { type AmountChange, type CartProduct, canBuy, changeAmount, lineOf } from './cart-rules';
import { cappedText, mostOf, nameOf, undo } from './cart-words';
import { account } from './session';
import {
  countOf,
  type Line,
  onOtherTabChange,
  type Promotion,
  type PromotionGroup,
  readPromotions,
  writePromotions,
} from './snapshot';
import { keepUnsaved, takeUnsaved } from './unsaved';

const NAME = 'promotionCart';

/** A product in a promotion, at its price and with its units. */
type OfferedProduct = CartProduct & { action: Promotion };

/** A group of the promotion cart; `valid` is false once its promotion has ended, until the group is dropped. */
export interface Group extends PromotionGroup {
  valid: boolean;
}

const stored = signal<PromotionGroup[]>([]);
/** Counts the ends of promotions, so that what depends on the time is computed again. */
const endsSeen = signal(0);

export const groups = computed<Group[]>(() => {
  void endsSeen.value;
  return stored.value.map((group) => ({ ...group, valid: serverNow() < Date.parse(group.endTimeIso) }));
});
/** The groups with checked lines; an order may have one of them (docs/product.md#carts). */
export const chosen = computed(() => groups.value.filter((group) => checkedOf(group).length > 0));
export const count = computed(() =>
  groups.value.reduce((sum, group) => sum + (group.valid ? countOf(group.shoppingCart) : 0), 0),
);
export const checkedCount = computed(() =>
  chosen.value.reduce((sum, group) => sum + countOf(checkedOf(group)), 0),
);

/** Gives the lines of a group that go to checkout. */
export function checkedOf(group: Group): Line[] {
  return group.valid ? group.shoppingCart.filter((line) => line.checked && canBuy(line)) : [];
}

const countdowns = new Map<number, () => void>();
let isStored = true;

/** Drops every group at its end, by the server's clock. */
function watchEnds(): void {
  for (const stop of countdowns.values()) stop();
  countdowns.clear();
  for (const { goodsActionTypeId, endTimeIso } of stored.value) {
    const over = (left: unknown) => {
      if (left) return;
      endsSeen.value += 1;
      void Promise.all([syncClock(), loadTexts()]).then(dropEnded);
    };
    countdowns.set(goodsActionTypeId, countDown(Date.parse(endTimeIso), over));
  }
}

/** Drops the groups whose promotions have ended, with a notice (docs/product.md#carts). */
function dropEnded(): void {
  const over = groups.value.filter((group) => !group.valid);
  if (over.length === 0) return;
  for (const group of over) {
    const { goodsActionTypeName, goodsActionTypeNameEn, shoppingCart } = group;
    addNotice(shoppingCart, { goodsActionTypeName, goodsActionTypeNameEn });
    const { name } = bothNames(goodsActionTypeName, goodsActionTypeNameEn);
    announce(t('promotion.over', { name }));
  }
  const ids = new Set(over.map((group) => group.goodsActionTypeId));
  set(stored.value.filter((group) => !ids.has(group.goodsActionTypeId)));
}

/** Drops the group of a promotion that an editor has ended before its time, as one that ended in time. */
export function endEarly(id: number): void {
  const now = new Date(serverNow()).toISOString();
  stored.value = stored.value.map((group) =>
    group.goodsActionTypeId === id ? { ...group, endTimeIso: now } : group,
  );
  dropEnded();
}

const endsOf = (list: PromotionGroup[]) =>
  list.map((group) => group.goodsActionTypeId + group.endTimeIso).join();

function setGroups(next: PromotionGroup[]): void {
  const before = stored.value;
  stored.value = next;
  if (endsOf(next) === endsOf(before)) return;
  watchEnds();
  if (before.length === 0) void syncClock().then(followClock);
}

/** Counts by the server's clock once it is known. */
function followClock(): void {
  endsSeen.value += 1;
  watchEnds();
}

/** Stores the groups without empty ones. */
function set(next: PromotionGroup[]): void {
  const left = next.filter((group) => group.shoppingCart.length > 0);
  setGroups(left);
  isStored = writePromotions(left);
}

function groupOf(id: number): Group | undefined {
  return groups.value.find((group) => group.goodsActionTypeId === id);
}

function lineIn(id: number, goodsId: number): Line | undefined {
  return groupOf(id)?.shoppingCart.find((line) => line.goodsId === goodsId);
}

function setLines(id: number, change: (lines: Line[]) => Line[]): void {
  set(
    stored.value.map((group) =>
      group.goodsActionTypeId === id ? { ...group, shoppingCart: change(group.shoppingCart) } : group,
    ),
  );
}

/** Adds units of a product to its promotion's group and checks it; a new line goes first. Gives whether all went in. */
export function add(product: OfferedProduct, amount: number): boolean {
  const there = lineIn(product.action.goodsActionTypeId, product.goodsId)?.goodsAmount ?? 0;
  const outcome = take(product, there, amount);
  if (outcome === 'bought') show('ok', t('cart.added', { name: nameOf(product) }));
  return outcome === 'bought';
}

/** Sets the amount of a product in its promotion's group and checks it; gives whether it can be bought. */
export function put(product: OfferedProduct, wanted: number): boolean {
  return take(product, 0, wanted) !== 'none';
}

/** Changes `before` units of a product by `changed` and checks it; `capped`: fewer can be bought, which is
shown. */
function take(product: OfferedProduct, before: number, changed: number): 'bought' | 'capped' | 'none' {
  const { action, goodsId } = product;
  if (serverNow() >= Date.parse(action.endTimeIso)) {
    show('warn', t('promotion.ended'));
    return 'none';
  }
  const fresh = lineOf(product, before);
  const next = changeAmount(fresh, changed);
  if (next.reason === 'stock_insufficient') {
    show('warn', t('promotion.most'));
    return 'none';
  }
  const line = { ...fresh, goodsAmount: next.amount };
  const id = action.goodsActionTypeId;
  const lines = groupOf(id)?.shoppingCart ?? [];
  const changedLines = lines.some((other) => other.goodsId === goodsId)
    ? lines.map((other) => (other.goodsId === goodsId ? line : other))
    : [line, ...lines];
  const group = { ...action, shoppingCart: changedLines };
  const isThere = stored.value.some((other) => other.goodsActionTypeId === id);
  set(
    isThere
      ? stored.value.map((other) => (other.goodsActionTypeId === id ? group : other))
      : [group, ...stored.value],
  );
  if (next.reason !== 'amount_above_limit') return 'bought';
  show('warn', cappedText([line]));
  return 'capped';
}

/** Shows that a promotion has no more for a customer (docs/product.md#carts). */
function explain(line: Line, { reason }: AmountChange): void {
  if (reason === 'stock_insufficient') show('warn', t('promotion.most'));
  if (reason === 'amount_above_limit') show('warn', mostOf(line));
}

/** Changes the amount of a line by `delta`, see `changeAmount`. */
export function change(id: number, goodsId: number, delta: number): void {
  const line = lineIn(id, goodsId);
  if (!line) return;
  const next = changeAmount(line, delta);
  const { amount } = next;
  const before = stored.value;
  const customer = account.value;
  setLines(id, (lines) =>
    lines.flatMap((other) => {
      if (other.goodsId !== goodsId) return [other];
      return amount > 0 ? [{ ...other, goodsAmount: amount }] : [];
    }),
  );
  explain(line, next);
  const name = nameOf(line);
  if (amount === 0)
    show(
      'ok',
      t('cart.removed', { name }),
      undo(() => account.value === customer && putBack(id, line, before)),
    );
  else if (amount !== line.goodsAmount) announce(t('cart.changed', { name, count: amount }));
}

/** Puts a removed line back to its place in the groups from `before`, with its group where that went too. */
function putBack(id: number, line: Line, before: readonly PromotionGroup[]): void {
  const group = before.find((other) => other.goodsActionTypeId === id);
  if (!group || lineIn(id, line.goodsId)) return;
  if (serverNow() >= Date.parse(group.endTimeIso)) {
    show('warn', t('promotion.ended'));
    return;
  }
  const insert = <T>(list: readonly T[], place: number, item: T) => [
    ...list.slice(0, place),
    item,
    ...list.slice(place),
  ];
  const place = group.shoppingCart.findIndex((other) => other.goodsId === line.goodsId);
  if (groupOf(id)) setLines(id, (lines) => insert(lines, place, line));
  else set(insert(stored.value, before.indexOf(group), { ...group, shoppingCart: [line] }));
  announce(t('cart.putBack', { name: nameOf(line) }));
}

/** Checks or unchecks one line. */
export function check(id: number, goodsId: number, on: boolean): void {
  setLines(id, (lines) =>
    lines.map((line) => (line.goodsId === goodsId ? { ...line, checked: on && canBuy(line) } : line)),
  );
}

/** Checks every line of a group that can be bought, or unchecks all. */
export function checkAll(id: number, on: boolean): void {
  setLines(id, (lines) => lines.map((line) => ({ ...line, checked: on && canBuy(line) })));
}

/** Unchecks all groups but one. */
export function checkOnly(id: number | null): void {
  for (const group of stored.value)
    if (group.goodsActionTypeId !== id) checkAll(group.goodsActionTypeId, false);
}

/** Empties the promotion cart and removes it from the browser's storage (docs/product.md#carts). */
export function clear(): void {
  set([]);
}

/** Removes the lines that have been ordered. */
export function removeOrdered(id: number, ordered: readonly number[]): void {
  setLines(id, (lines) => lines.filter((line) => !ordered.includes(line.goodsId)));
}

/** Takes up what the last page of this tab has kept. */
function resume(): void {
  const unsaved = takeUnsaved(NAME, account.value);
  if (unsaved?.groups) set(unsaved.groups);
}

setGroups(readPromotions());
resume();
onOtherTabChange(() => setGroups(readPromotions()));
document.addEventListener('shop:session', () => setGroups(readPromotions()));
window.addEventListener('pagehide', () => {
  keepUnsaved(NAME, { owner: account.value, groups: isStored ? undefined : stored.value });
});
window.addEventListener('pageshow', (event) => event.persisted && resume());
