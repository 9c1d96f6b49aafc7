/*
 * The rules of a cart that the server stores (docs/product.md#carts). They read neither the browser nor the time: all
 * that they depend on is in the state and in the event.
 */
import { ShopError } from '../api/errors';
import { canBuy, reconcile } from './cart-rules';
import type {
  ByProduct,
  CartEffect,
  CartEvent,
  CartState,
  CartText,
  Fetch,
  FetchedCart,
  Lines,
  Resumed,
  Sending,
  Stamp,
  Write,
} from './server-cart-state';
import type { Line } from './snapshot';
import type { Unsent } from './unsaved';

/** What the last page has sent while it was left reaches the server before its cart is asked for. */
const RESUME_DELAY_MS = 2000;
/** Without a network it is tried again after this time, and as soon as the browser reports one. */
const RETRY_MS = 30_000;
/** A page that is being left loses its requests at most so long before it goes. */
const LEAVES_WITHIN_MS = 1000;

export interface Transition {
  readonly state: CartState;
  readonly effects: readonly CartEffect[];
}

type Rules = {
  readonly [T in CartEvent['type']]: (state: CartState, event: Extract<CartEvent, { type: T }>) => Transition;
};

const NO_IDS: ReadonlySet<number> = new Set();

/** Returns the state after an event, and the effects that follow it. */
export function reduce(state: CartState, event: CartEvent): Transition {
  const rule = RULES[event.type] as (state: CartState, event: CartEvent) => Transition;
  return rule(state, event);
}

const RULES: Rules = {
  /** Shows the cart as the browser has stored it. */
  restored: (state, { snapshot: { owner, lines } }) => to({ ...state, owner, lines, confirmed: lines }),

  /** Takes up what the last page of this tab has kept. */
  resumed(state, { unsaved }) {
    const next = { ...state, isLeaving: false };
    if (!unsaved) return to(next);
    const { unsent = [] } = unsaved;
    const kept = unsaved.lines ?? state.lines;
    return setLines(
      {
        ...next,
        owner: unsaved.lines ? unsaved.owner : state.owner,
        resumed: new Map([...state.resumed, ...unsent.map(resumedFrom)]),
      },
      unsent.reduce((lines, { goodsId, line }) => place(lines, goodsId, line), kept),
      ...unsent.map(({ goodsId }) => schedule(goodsId, RESUME_DELAY_MS)),
    );
  },

  stored: (state, { isStored }) => to({ ...state, isStored }),

  /** Lets a guest's lines and changes go along to the login; a customer's leave with the customer. */
  sessionChanged(state, { customer }) {
    const next = { ...state, customer };
    if (!state.customer || state.customer === customer) return to(next);
    return to(withoutChanges(next), { type: 'cancelWrites' }, { type: 'restore' });
  },

  /** Applies another tab's changes, except checks and lines that are still being written here. */
  otherTabChanged(state, { snapshot }) {
    const { unsettled, lines, confirmed } = state;
    const isWaiting = (line: Line) => unsettled.has(line.goodsId);
    const waiting = lines.filter((line) => isWaiting(line) && !find(snapshot.lines, line.goodsId));
    const taken = snapshot.lines.flatMap((line) => {
      const mine = find(lines, line.goodsId);
      if (isWaiting(line)) return mine ?? [];
      return { ...line, checked: mine?.checked ?? line.checked };
    });
    // A cart that another tab has cleared is no longer stored.
    const isCleared = snapshot.owner === '' && snapshot.lines.length === 0 && state.customer !== '';
    return to({
      ...state,
      owner: isCleared ? state.owner : snapshot.owner,
      lines: [...waiting, ...taken],
      // Unwritten lines differ from the server's, whatever another tab shows.
      confirmed: [...confirmed.filter(isWaiting), ...snapshot.lines.filter((line) => !isWaiting(line))],
    });
  },

  networkReturned: (state) => to(state, ...[...state.resumed.keys()].map((goodsId) => schedule(goodsId, 0))),

  /** Keeps what only this page knows, and sends what the server does not have yet. */
  left(state, { now }) {
    const { owner, lines, isStored } = state;
    const isCustomers = owner !== '' && owner === state.customer;
    const waiting = [...state.unsettled].map((goodsId) => unsentOf(state, goodsId));
    const dropped = [...state.lost.values()]
      .filter(({ unsent, at }) => at > now - LEAVES_WITHIN_MS && !state.unsettled.has(unsent.goodsId))
      .map(({ unsent }) => unsent);
    const unsent = isCustomers ? [...waiting, ...dropped] : [];
    return to(
      { ...state, isLeaving: true },
      { type: 'keepUnsaved', unsaved: { owner, unsent, lines: isStored ? undefined : lines } },
      { type: 'sendNow' },
    );
  },

  linesChanged: (state, { lines }) => setLines(state, lines),

  /** Schedules the write of an amount that a customer has changed. */
  amountChanged(state, { goodsId }) {
    const next = { ...state, messages: withoutEntry(state.messages, goodsId) };
    return state.customer ? to(next, schedule(goodsId)) : to(next);
  },

  explained: (state, { goodsId, text }) =>
    to({ ...state, messages: withEntry(state.messages, goodsId, text) }),

  loadDue: load,

  /** Gives a guest's lines the current facts of their products. */
  refreshed(state, { facts }) {
    const lines = state.lines.map((line) => ({ ...line, ...facts.get(line.goodsId) }));
    const refreshed = setLines(state, lines);
    // The guest may have logged in during the request.
    return state.customer ? chain(refreshed, load) : refreshed;
  },

  /** Shows the server's cart, and continues with the write that waited for it. */
  fetched(state, event) {
    const { stamp, write } = event;
    const shown = isCurrent(state, stamp) ? showCart(state, event) : to(state);
    return write ? chain(shown, (next) => send(next, write)) : shown;
  },

  loaded: (state, { customer }) => to({ ...state, isLoading: false, fetchedFor: customer }),

  loadFailed: (state, { error }) => to({ ...state, isLoading: false, loadError: error }),

  queueChanged: (state, { unsettled }) => to({ ...state, unsettled }),

  /** Writes a line; the cart is fetched first if the server may have other lines than this page knows. */
  writeDue(state, { goodsId }) {
    const next = { ...state, lost: withoutEntry(state.lost, goodsId) };
    const resuming = state.resumed.get(goodsId);
    // It is kept once more, and compared by the next page.
    if (resuming && state.isLeaving) return to(next);
    const write = { goodsId, stamp: stampOf(state), resuming };
    // The server may not have a guest's lines yet, and its answer would remove them here.
    if (resuming || state.owner !== state.customer) return to(next, { type: 'fetch', write });
    return send(next, write);
  },

  sendingEnded: (state, { goodsId }) => to({ ...state, sent: withoutEntry(state.sent, goodsId) }),

  /** Applies the answer to a write, and shows if the server's cart has another amount than asked for. */
  answered(state, { goodsId, stamp, answer, isDirty }) {
    if (!isCurrent(state, stamp)) return to(state);
    const { list } = answer.result;
    const unsettled = new Set(state.unsettled);
    if (!isDirty) unsettled.delete(goodsId);
    const lines = reconcile(list, state.lines, unsettled);
    const next = { ...state, confirmed: reconcile(list, state.lines, NO_IDS) };
    if (!answer.reason) return setLines(next, lines);
    const line = find(lines, goodsId);
    const isCapped = line && answer.reason === 'amount_above_limit';
    const error: CartText = { type: 'error', error: answer };
    return setLines(
      { ...next, messages: withEntry(state.messages, goodsId, isCapped ? { type: 'most', line } : error) },
      lines,
      { type: 'dismiss', goodsId },
      warn(isCapped ? { type: 'capped', lines: [line] } : error),
    );
  },

  /** Rolls back a change that failed, or keeps it where there is no network. */
  writeFailed(state, { goodsId, error, isOnline, now }) {
    // The next page looks after it.
    if (state.isLeaving) return to(state);
    const refusal = error instanceof ShopError ? error : undefined;
    const isLost = refusal?.reason === 'network';
    if (isLost && !isOnline) return hold(state, goodsId);
    const { lost, messages, confirmed } = state;
    // An invalid login opens a dialog of its own.
    const shown: CartEffect[] = refusal?.code === 1001 ? [] : [{ type: 'showError', error }];
    return rollBack(
      {
        ...state,
        lost: isLost ? withEntry(lost, goodsId, { unsent: unsentOf(state, goodsId), at: now }) : lost,
        messages: find(confirmed, goodsId)
          ? withEntry(messages, goodsId, { type: 'notSaved', error })
          : withoutEntry(messages, goodsId),
      },
      goodsId,
      { type: 'dismiss', goodsId },
      ...shown,
    );
  },

  /** Takes out the ticked lines that an order was made of, as the server does. */
  ordered(state, { goodsIds }) {
    const ordered = state.lines.filter(({ checked, goodsId }) => checked && goodsIds.includes(goodsId));
    if (ordered.length === 0) return to(state);
    const others = (lines: Lines) => lines.filter((line) => !find(ordered, line.goodsId));
    // An answer under way may contain the ordered lines, so it no longer counts.
    const next = { ...state, confirmed: others(state.confirmed), generation: state.generation + 1 };
    const shown = setLines(next, others(state.lines));
    return state.isLoading || state.unsettled.size ? chain(shown, load) : shown;
  },

  /** Empties the cart, a customer's on the server too. */
  clearDue(state) {
    const { customer, confirmed } = state;
    const checked = state.lines.filter(isChosen).map((line) => line.goodsId);
    const request: CartEffect[] = customer ? [{ type: 'clear', customer, confirmed, checked }] : [];
    return to(
      { ...withoutChanges(state), lines: [], confirmed: [], generation: state.generation + 1 },
      { type: 'cancelWrites' },
      { type: 'removeStored' },
      ...request,
    );
  },

  /** Brings back the lines of a cart that the server could not clear, with their checks. */
  clearFailed(state, { customer, confirmed, checked }) {
    if (state.customer !== customer) return to(state);
    const back = confirmed.filter((line) => !find(state.lines, line.goodsId));
    const others = state.confirmed.filter((line) => !find(back, line.goodsId));
    return setLines({ ...state, confirmed: [...others, ...back] }, [
      ...state.lines,
      ...back.map((line) => ({ ...line, checked: checked.includes(line.goodsId) && canBuy(line) })),
    ]);
  },
};

/** Returns True if a line goes to checkout. */
export function isChosen(line: Line): boolean {
  return line.checked && canBuy(line);
}

function to(state: CartState, ...effects: CartEffect[]): Transition {
  return { state, effects };
}

/** Changes the lines and stores them. */
function setLines(state: CartState, lines: Lines, ...effects: CartEffect[]): Transition {
  return to({ ...state, lines }, { type: 'store', snapshot: { owner: state.owner, lines } }, ...effects);
}

/** Applies a second rule to the state after the first one. */
function chain(first: Transition, rule: (state: CartState) => Transition): Transition {
  const second = rule(first.state);
  return to(second.state, ...first.effects, ...second.effects);
}

function schedule(goodsId: number, delay?: number): CartEffect {
  return { type: 'schedule', goodsId, delay };
}

function warn(text: CartText): CartEffect {
  return { type: 'warn', text };
}

function withEntry<T>(map: ByProduct<T>, goodsId: number, value: T): ByProduct<T> {
  return new Map(map).set(goodsId, value);
}

function withoutEntry<T>(map: ByProduct<T>, goodsId: number): ByProduct<T> {
  return new Map([...map].filter(([id]) => id !== goodsId));
}

function find(lines: Lines, goodsId: number): Line | undefined {
  return lines.find((line) => line.goodsId === goodsId);
}

function amountIn(lines: Lines, goodsId: number): number {
  return find(lines, goodsId)?.goodsAmount ?? 0;
}

/** Puts a line to the place of the one that it replaces, or to the front; without a line removes that one. */
function place(lines: Lines, goodsId: number, line?: Line | null): Lines {
  const index = lines.findIndex((other) => other.goodsId === goodsId);
  const others = lines.filter((other) => other.goodsId !== goodsId);
  if (line) others.splice(Math.max(index, 0), 0, line);
  return others;
}

/** Forgets the changes that are still to be written, and what is shown of them. */
function withoutChanges(state: CartState): CartState {
  return { ...state, resumed: new Map(), lost: new Map(), messages: new Map() };
}

function stampOf({ customer, generation }: CartState): Stamp {
  return { customer, generation };
}

/** Returns True if the customer of a request is still logged in, and the cart was neither cleared nor ordered since. */
function isCurrent(state: CartState, stamp: Stamp): boolean {
  return state.customer === stamp.customer && state.generation === stamp.generation;
}

/** Gives a change as the next page needs it, to send it or to see that it arrived. */
function unsentOf({ lines, confirmed, resumed }: CartState, goodsId: number): Unsent {
  const known = resumed.get(goodsId)?.known ?? amountIn(confirmed, goodsId);
  return { goodsId, known, line: find(lines, goodsId) ?? null };
}

/** Gives the entry of a change that is still to be compared with the server's cart. */
function resumedFrom({ goodsId, known, line }: Unsent): [number, Resumed] {
  return [goodsId, { known, wanted: line?.goodsAmount ?? 0 }];
}

/** Gives the request for the server's cart, which gets a guest's lines first. */
export function fetchOf(state: CartState, write?: Write): Fetch {
  return { guestLines: state.owner === '' ? state.lines : [], stamp: stampOf(state), write };
}

/** Loads a customer's cart, or the current facts of a guest's products. */
function load(state: CartState): Transition {
  const { customer, lines } = state;
  if (!customer) return to(state, { type: 'refresh', lines });
  return to({ ...state, isLoading: true }, { type: 'load', customer });
}

function showCart(state: CartState, { guestLines, answer }: FetchedCart): Transition {
  const { customer, owner, unsettled } = state;
  const { list, removed = [] } = answer.result;
  // Another customer's checks are not this one's.
  const keepsChecks = owner === customer || owner === '';
  const shown = state.lines.map((line) => ({
    ...line,
    checked: line.checked && (keepsChecks || unsettled.has(line.goodsId)),
  }));
  const capped = list.filter(({ goodsId, goodsAmount }) => amountIn(guestLines, goodsId) > goodsAmount);
  const gone = guestLines.filter((line) => removed.includes(line.goodsId));
  const effects: CartEffect[] = [];
  if (answer.reason)
    effects.push(warn(capped.length ? { type: 'capped', lines: capped } : { type: 'error', error: answer }));
  // The page may be left immediately, as after a login.
  if (gone.length) effects.push({ type: 'addNotice', lines: gone }, warn({ type: 'gone', lines: gone }));
  return setLines(
    { ...state, owner: customer, loadError: null, confirmed: reconcile(list, shown, NO_IDS) },
    reconcile(list, shown, unsettled),
    ...effects,
  );
}

/** Sends the amount of a line, unless the server has it or is about to. */
function send(state: CartState, { goodsId, stamp, resuming }: Write): Transition {
  // The next customer's cart, or a guest's, has changes of its own.
  if (!isCurrent(state, stamp)) return to(state);
  const amount = amountIn(state.lines, goodsId);
  const known = amountIn(state.confirmed, goodsId);
  const next = state.resumed.has(goodsId)
    ? {
        ...state,
        resumed: withoutEntry(state.resumed, goodsId),
        messages: withoutEntry(state.messages, goodsId),
      }
    : state;
  // It was changed since, perhaps on another device.
  if (resuming && resuming.wanted === amount && resuming.known !== known) return rollBack(next, goodsId);
  const before = state.sent.get(goodsId) ?? known;
  if (amount === before) return to(next);
  // Additions add up, in whichever order they arrive.
  // The shop ignores `before`; without it an equal one cancels the first.
  // What a page repeats for the one before it is set instead: it may have arrived after all.
  const adds = known === 0 && amount > before && !resuming;
  const body = {
    goodsId,
    goodsAmount: adds ? amount - before : amount,
    before,
    after: known === 0 ? aboveOf(state.lines, goodsId) : undefined,
  };
  const sending: Sending =
    amount === 0
      ? { goodsId, stamp, method: 'DELETE' }
      : { goodsId, stamp, method: adds ? 'POST' : 'PUT', body };
  return to({ ...next, sent: withEntry(state.sent, goodsId, amount) }, { type: 'send', ...sending });
}

/** Gives the product above a line; undefined for the first one. */
function aboveOf(lines: Lines, goodsId: number): number | undefined {
  const index = lines.findIndex((line) => line.goodsId === goodsId);
  return lines[index - 1]?.goodsId;
}

/** Shows a line as the server has it. */
function rollBack(state: CartState, goodsId: number, ...effects: CartEffect[]): Transition {
  const before = find(state.confirmed, goodsId);
  const { checked } = find(state.lines, goodsId) ?? before ?? { checked: false };
  return setLines(state, place(state.lines, goodsId, before && { ...before, checked }), ...effects);
}

/** Keeps a change until there is a network (docs/product.md#carts). */
function hold(state: CartState, goodsId: number): Transition {
  const { messages, resumed } = state;
  const waits: CartText = { type: 'waits' };
  const next = {
    ...state,
    resumed: new Map([...resumed, resumedFrom(unsentOf(state, goodsId))]),
    messages: withEntry(messages, goodsId, waits),
  };
  const warning = messages.has(goodsId) ? [] : [warn(waits)];
  return to(next, ...warning, schedule(goodsId, RETRY_MS));
}
