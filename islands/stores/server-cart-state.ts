/*
 * The state of a cart that the server stores (docs/product.md#carts), the events that change it, and the effects that
 * follow them. stores/server-cart-rules has what each event does, and stores/server-cart carries out the effects.
 */
import type { Envelope } from '../api/client';
import type { CartList } from '../api/types';
import type { Line, Snapshot } from './snapshot';
import type { Unsaved, Unsent } from './unsaved';

export type Lines = readonly Line[];
export type ByProduct<T> = ReadonlyMap<number, T>;

/** A text that is shown under a line or as a toast; stores/cart-words has it in the page's language. */
export type CartText =
  | { type: 'waits' }
  | { type: 'most'; line: Line }
  | { type: 'capped'; lines: Lines }
  | { type: 'gone'; lines: Lines }
  | { type: 'notSaved'; error: unknown }
  | { type: 'error'; error: unknown };

export interface CartState {
  /** The account that is logged in; empty for a guest. */
  readonly customer: string;
  /** The account of the lines; empty while they are a guest's. */
  readonly owner: string;
  readonly lines: Lines;
  /** The lines before unconfirmed changes, to which a failed change is rolled back. */
  readonly confirmed: Lines;
  /** Why the amount of a line was limited or could not be saved. */
  readonly messages: ByProduct<CartText>;
  /** The lines whose newest amount the server has not confirmed. */
  readonly unsettled: ReadonlySet<number>;
  /** The amounts that requests under way set, which the server may have already. */
  readonly sent: ByProduct<number>;
  /**
   * Changes of the last page, or without a network, that the server may not have: the amounts that it had, and that
   * were wanted.
   */
  readonly resumed: ByProduct<Resumed>;
  /** Changes that met no network, and when: the browser may have dropped them since the page is being left. */
  readonly lost: ByProduct<{ unsent: Unsent; at: number }>;
  /** False after the browser's storage has refused the lines. */
  readonly isStored: boolean;
  readonly isLeaving: boolean;
  /** Grows when the cart is cleared or ordered: answers to earlier requests no longer count. */
  readonly generation: number;
  /** The customer whose cart this page has got from the server. */
  readonly fetchedFor: string;
  readonly isLoading: boolean;
  /** Why the server's cart could not be fetched. */
  readonly loadError: unknown;
}

export interface Resumed {
  known: number;
  wanted: number;
}

/** What a request belongs to: its answer counts only for the same customer, and until the cart is cleared or ordered. */
export type Stamp = Pick<CartState, 'customer' | 'generation'>;

/** The write of a line; `resuming` is set if it repeats a change that the server may have already. */
export interface Write {
  goodsId: number;
  stamp: Stamp;
  resuming?: Resumed;
}

/** The request for the server's cart, which first gets a guest's lines; a write may wait for it. */
export interface Fetch {
  guestLines: Lines;
  stamp: Stamp;
  write?: Write;
}

export interface FetchedCart extends Fetch {
  answer: Envelope<CartList>;
}

/** The request that writes a line; without a body it removes the line. */
export interface Sending {
  goodsId: number;
  stamp: Stamp;
  method: 'POST' | 'PUT' | 'DELETE';
  body?: { goodsId: number; goodsAmount: number; before: number; after?: number };
}

/** The answer to a write; `isDirty` is true if the line has changed again. */
interface Answered {
  goodsId: number;
  stamp: Stamp;
  answer: Envelope<CartList>;
  isDirty: boolean;
}

interface WriteFailed {
  goodsId: number;
  error: unknown;
  isOnline: boolean;
  now: number;
}

/** What a cart that could not be cleared gets back. */
export interface Backup {
  customer: string;
  confirmed: Lines;
  checked: readonly number[];
}

export type CartEvent =
  // From the browser.
  | { type: 'restored'; snapshot: Snapshot }
  | { type: 'resumed'; unsaved: Unsaved | null }
  | { type: 'stored'; isStored: boolean }
  | { type: 'sessionChanged'; customer: string }
  | { type: 'otherTabChanged'; snapshot: Snapshot }
  | { type: 'networkReturned' }
  | { type: 'left'; now: number }
  // From the page.
  | { type: 'linesChanged'; lines: Lines }
  | { type: 'amountChanged'; goodsId: number }
  | { type: 'explained'; goodsId: number; text: CartText }
  | { type: 'loadDue' }
  | { type: 'ordered'; goodsIds: readonly number[] }
  | { type: 'clearDue' }
  // From requests and their queue.
  | { type: 'queueChanged'; unsettled: ReadonlySet<number> }
  | { type: 'refreshed'; facts: ByProduct<Partial<Line>> }
  | ({ type: 'fetched' } & FetchedCart)
  | { type: 'loaded'; customer: string }
  | { type: 'loadFailed'; error: unknown }
  | { type: 'writeDue'; goodsId: number }
  | { type: 'sendingEnded'; goodsId: number }
  | ({ type: 'answered' } & Answered)
  | ({ type: 'writeFailed' } & WriteFailed)
  | ({ type: 'clearFailed' } & Backup);

export type CartEffect =
  // In the browser.
  | { type: 'restore' }
  | { type: 'store'; snapshot: Snapshot }
  | { type: 'removeStored' }
  | { type: 'keepUnsaved'; unsaved: Unsaved }
  | { type: 'warn'; text: CartText }
  | { type: 'showError'; error: unknown }
  | { type: 'dismiss'; goodsId: number }
  | { type: 'addNotice'; lines: Lines }
  // Of the queue of writes; a write is due after `delay` milliseconds.
  | { type: 'schedule'; goodsId: number; delay?: number }
  | { type: 'cancelWrites' }
  | { type: 'sendNow' }
  // Requests.
  | { type: 'refresh'; lines: Lines }
  | { type: 'load'; customer: string }
  | { type: 'fetch'; write: Write }
  | ({ type: 'send' } & Sending)
  | ({ type: 'clear' } & Backup);

/** Returns the state of an empty cart for the customer who is logged in. */
export function emptyCart(customer: string): CartState {
  return {
    customer,
    owner: '',
    lines: [],
    confirmed: [],
    messages: new Map(),
    unsettled: new Set(),
    sent: new Map(),
    resumed: new Map(),
    lost: new Map(),
    isStored: true,
    isLeaving: false,
    generation: 0,
    fetchedFor: '',
    isLoading: false,
    loadError: null,
  };
}
