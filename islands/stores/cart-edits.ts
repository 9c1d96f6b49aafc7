/* How a page changes the lines of a cart: immediately, and the server hears of it in the background. */
import { t } from '../i18n';
import { announce } from '../ui/announce';
import { show } from '../ui/toast';
import { type AmountChange, type CartProduct, canBuy, changeAmount, lineOf, maxAmount } from './cart-rules';
import { cappedText, mostOf, nameOf, namesOf, undo } from './cart-words';
import type { ServerLines } from './server-cart';
import { account } from './session';
import type { Line } from './snapshot';

/** Makes the actions on the lines of a cart that the server stores. */
export function edits({ lines, editing }: ServerLines) {
  const { inCartons, toasts, dispatch } = editing;
  const find = (goodsId: number) => lines.value.find((line) => line.goodsId === goodsId);
  const set = (changed: readonly Line[]) => dispatch({ type: 'linesChanged', lines: changed });
  const scheduleWrite = (goodsId: number) => dispatch({ type: 'amountChanged', goodsId });

  /** Shows why a line has another amount than asked for; an advance line also that it has reached its stock.
   */
  function explain(line: Line, { amount, reason }: AmountChange, changed: number): void {
    const reached = changed > 0 && line.isAdvance === '1' && amount === maxAmount(line);
    if (reason === 'amount_rounded_up')
      dispatch({ type: 'explained', goodsId: line.goodsId, text: { type: 'error', error: { reason } } });
    else if (reason === 'stock_insufficient') show('warn', t('cart.soldOut'));
    else if (reason || reached) show('warn', mostOf(line));
  }

  /** Changes the amount of a line by `delta`, see `changeAmount`. */
  function change(goodsId: number, delta: number): void {
    const line = find(goodsId);
    if (!line) return;
    const next = changeAmount(line, delta);
    const { amount } = next;
    const place = lines.value.indexOf(line);
    const customer = account.value;
    set(
      lines.value.flatMap((other) => {
        if (other.goodsId !== goodsId) return [other];
        return amount > 0 ? [{ ...other, goodsAmount: amount }] : [];
      }),
    );
    scheduleWrite(goodsId);
    explain(line, next, delta);
    const name = nameOf(line);
    if (amount === 0) {
      const action = undo(() => account.value === customer && putBack(line, place));
      toasts.set(goodsId, show('ok', t('cart.removed', { name }), action));
    } else if (amount !== line.goodsAmount) announce(t('cart.changed', { name, count: amount }));
  }

  /** Puts a removed line back to its place, as it was. */
  function putBack(line: Line, place: number): void {
    if (find(line.goodsId)) return;
    set([...lines.value.slice(0, place), line, ...lines.value.slice(place)]);
    scheduleWrite(line.goodsId);
    announce(t('cart.putBack', { name: nameOf(line) }));
  }

  /** Sets the amount of a line; 0 or less removes it. */
  function setAmount(goodsId: number, wanted: number): void {
    change(goodsId, wanted - (find(goodsId)?.goodsAmount ?? 0));
  }

  function remove(goodsId: number): void {
    setAmount(goodsId, 0);
  }

  /** Adds units of a product to the cart and checks it; a new line goes first. Gives whether all were added. */
  function add(product: CartProduct, amount: number): boolean {
    return addAll([{ product, amount }]);
  }

  /** Adds several products as `add` does, and shows once what was added, and what only in part. */
  function addAll(wanted: readonly { product: CartProduct; amount: number }[]): boolean {
    const asked = wanted.map(({ product, amount }) => ({
      product,
      outcome: put(product, find(product.goodsId)?.goodsAmount ?? 0, amount),
    }));
    const added = asked.filter(({ outcome }) => outcome === 'bought').map(({ product }) => product);
    const capped = asked.filter(({ outcome }) => outcome === 'capped').map(({ product }) => product);
    if (capped.length) show('warn', cappedText(capped.map((product) => lineOf(product, 0, inCartons))));
    if (added.length) {
      const toast = show('ok', t('cart.added', { name: namesOf(added) }));
      for (const product of added) toasts.set(product.goodsId, toast);
    }
    return added.length === wanted.length;
  }

  /** Sets the amount of a product and checks nothing else, for "buy now". */
  function putOnly(product: CartProduct, amount: number): void {
    const outcome = put(product, 0, amount);
    if (outcome === 'none') return;
    if (outcome === 'capped') show('warn', cappedText([lineOf(product, 0, inCartons)]));
    set(lines.value.map((line) => ({ ...line, checked: line.goodsId === product.goodsId })));
  }

  /** Changes `before` units of a product by `changed` and checks it; `capped`: fewer can be bought. */
  function put(product: CartProduct, before: number, changed: number): 'bought' | 'capped' | 'none' {
    const fresh = lineOf(product, before, inCartons);
    const next = changeAmount(fresh, changed);
    const isBought = next.reason !== 'stock_insufficient';
    const isCapped = next.reason === 'amount_above_limit';
    if (isBought) {
      const line = { ...fresh, goodsAmount: next.amount };
      set(
        find(product.goodsId)
          ? lines.value.map((other) => (other.goodsId === product.goodsId ? line : other))
          : [line, ...lines.value],
      );
      scheduleWrite(product.goodsId);
    }
    if (isCapped) return 'capped';
    explain(fresh, next, changed);
    return isBought ? 'bought' : 'none';
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

  return { setAmount, change, remove, add, addAll, putOnly, check, checkAll };
}
