/*
 * What is bought in promotions: one group for each, kept in this browser alone and checked again by the server when
 * the order is made (SPEC 4, CONTRACT 3). A group is valid only while the server's time is before its end.
 */
import { computed, signal } from '@preact/signals-core';
import { countDown, serverNow, syncClock } from '../clock';
import { t } from '../i18n';
import { bothNames } from '../lang';
import { announce } from '../ui/announce';
import { type CartGoods, canBuy, lineOf, most } from './cart-rules';
import {
  countOf,
  type Line,
  onOtherTab,
  type Promotion,
  type PromotionGroup,
  readPromotions,
  totalOf,
  writePromotions,
} from './snapshot';
import { show } from './toast';

/** Goods as a card shows them in a promotion, at its price and with its units. */
export type OfferedGoods = CartGoods & { action: Promotion };

/** A group of the cart; `valid` is false from the moment its promotion ends. */
export interface Group extends PromotionGroup {
  valid: boolean;
}

const kept = signal<PromotionGroup[]>([]);
/** Counts the ends of promotions that have been seen, so that what depends on the time is reckoned anew. */
const ends = signal(0);

export const groups = computed<Group[]>(() => {
  void ends.value;
  return kept.value.map((group) => ({ ...group, valid: serverNow() < Date.parse(group.endTimeIso) }));
});
/** The groups with goods that are to be bought; an order takes one of them (SPEC 5). */
export const chosen = computed(() => groups.value.filter((group) => checkedOf(group).length > 0));
export const count = computed(() =>
  groups.value.reduce((sum, group) => sum + countOf(group.shoppingCart), 0),
);
export const checkedCount = computed(() =>
  chosen.value.reduce((sum, group) => sum + countOf(checkedOf(group)), 0),
);
/** The total of all that is checked, in cents. */
export const total = computed(() => chosen.value.reduce((sum, group) => sum + totalOf(checkedOf(group)), 0));

/** Gives the lines of a group that go to checkout. */
export function checkedOf(group: Group): Line[] {
  return group.valid ? group.shoppingCart.filter((line) => line.checked && canBuy(line)) : [];
}

const watched = new Map<number, () => void>();

function watch(): void {
  for (const stop of watched.values()) stop();
  watched.clear();
  for (const { goodsActionTypeId, endTimeIso } of kept.value) {
    const over = (left: unknown) => {
      if (!left) ends.value += 1;
    };
    watched.set(goodsActionTypeId, countDown(Date.parse(endTimeIso), over));
  }
}

function take(next: PromotionGroup[]): void {
  const before = kept.value.map((group) => group.goodsActionTypeId + group.endTimeIso).join();
  kept.value = next;
  if (next.map((group) => group.goodsActionTypeId + group.endTimeIso).join() !== before) watch();
}

/** Keeps what has changed; an empty group goes. */
function set(next: PromotionGroup[]): void {
  const left = next.filter((group) => group.shoppingCart.length > 0);
  take(left);
  writePromotions(left);
}

function groupOf(id: number): Group | undefined {
  return groups.value.find((group) => group.goodsActionTypeId === id);
}

function lineIn(id: number, goodsId: number): Line | undefined {
  return groupOf(id)?.shoppingCart.find((line) => line.goodsId === goodsId);
}

function setLines(id: number, change: (lines: Line[]) => Line[]): void {
  set(
    kept.value.map((group) =>
      group.goodsActionTypeId === id ? { ...group, shoppingCart: change(group.shoppingCart) } : group,
    ),
  );
}

/** Adds to the amount of goods in the group of their promotion; they are checked then, new ones go to the front. */
export function add(goods: OfferedGoods, amount: number): void {
  const there = lineIn(goods.action.goodsActionTypeId, goods.goodsId)?.goodsAmount ?? 0;
  if (!put(goods, there + amount)) return;
  show('ok', t('cart.added', { name: bothNames(goods.goodsName, goods.goodsEnglishName).name }));
}

/** Puts exactly an amount of goods into the group of their promotion, checked; tells whether any could be put. */
export function put(goods: OfferedGoods, wanted: number): boolean {
  const { action, goodsId } = goods;
  if (serverNow() >= Date.parse(action.endTimeIso)) {
    show('warn', t('promotion.ended'));
    return false;
  }
  const fresh = lineOf(goods, 0);
  const goodsAmount = capped(fresh, Math.max(wanted, goods.minAmount));
  if (goodsAmount < goods.minAmount) return false;
  const line = { ...fresh, goodsAmount };
  const id = action.goodsActionTypeId;
  const lines = groupOf(id)?.shoppingCart ?? [];
  const next = lines.some((other) => other.goodsId === goodsId)
    ? lines.map((other) => (other.goodsId === goodsId ? line : other))
    : [line, ...lines];
  const group = { ...action, shoppingCart: next };
  const isThere = kept.value.some((other) => other.goodsActionTypeId === id);
  set(
    isThere
      ? kept.value.map((other) => (other.goodsActionTypeId === id ? group : other))
      : [group, ...kept.value],
  );
  return true;
}

/** Caps an amount at what the promotion still has for a customer, and says so (SPEC 5). */
function capped(line: Line, wanted: number): number {
  const limit = most(line);
  if (wanted <= limit) return wanted;
  show('warn', t('promotion.most'));
  return limit;
}

/** Sets the amount of a line; less than the least amount removes it. */
export function setAmount(id: number, goodsId: number, wanted: number): void {
  const line = lineIn(id, goodsId);
  if (!line) return;
  const { name } = bothNames(line.goodsName, line.goodsEnglishName);
  const amount = wanted < line.minAmount ? 0 : capped(line, wanted);
  setLines(id, (lines) =>
    lines.flatMap((other) => {
      if (other.goodsId !== goodsId) return [other];
      return amount > 0 ? [{ ...other, goodsAmount: amount }] : [];
    }),
  );
  announce(amount > 0 ? t('cart.changed', { name, count: amount }) : t('cart.removed', { name }));
}

/** Adds to the amount of a line, or takes off. */
export function change(id: number, goodsId: number, delta: number): void {
  setAmount(id, goodsId, (lineIn(id, goodsId)?.goodsAmount ?? 0) + delta);
}

/** Checks or unchecks one line. */
export function check(id: number, goodsId: number, on: boolean): void {
  setLines(id, (lines) => lines.map((line) => (line.goodsId === goodsId ? { ...line, checked: on } : line)));
}

/** Checks every line of a group that can be bought, or unchecks all. */
export function checkAll(id: number, on: boolean): void {
  setLines(id, (lines) => lines.map((line) => ({ ...line, checked: on && canBuy(line) })));
}

/** Unchecks everything, but for one group. */
export function keepOnly(id: number | null): void {
  for (const group of kept.value)
    if (group.goodsActionTypeId !== id) checkAll(group.goodsActionTypeId, false);
}

/** Drops the groups whose promotions have ended (SPEC 4). */
export function cleanUp(): void {
  const over = new Set(groups.value.filter((group) => !group.valid).map((group) => group.goodsActionTypeId));
  set(kept.value.filter((group) => !over.has(group.goodsActionTypeId)));
}

/** Takes out what has been ordered. */
export function takeOut(id: number, ordered: readonly number[]): void {
  setLines(id, (lines) => lines.filter((line) => !ordered.includes(line.goodsId)));
}

take(readPromotions());
onOtherTab(() => take(readPromotions()));
document.addEventListener('shop:session', () => take(readPromotions()));
if (kept.value.length) {
  void syncClock().then(() => {
    ends.value += 1;
    watch();
  });
}
