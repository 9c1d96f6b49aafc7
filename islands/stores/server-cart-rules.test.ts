// @vitest-environment node

import { describe, expect, it } from 'vitest';
import { ShopError } from '../api/errors';
import { makeProduct } from '../testing/fake-shop';
import { lineOf } from './cart-rules';
import { fetchOf, reduce } from './server-cart-rules';
import { type CartEffect, type CartEvent, type CartState, emptyCart, type Lines } from './server-cart-state';

const MEI = 'mei@example.com';
const LIN = 'lin@example.com';
/** The time of every event, in milliseconds. */
const NOW = 1_000_000;

/** What the state was, what happened, what changed of the state, and what follows; nothing else may change. */
type Row = [
  name: string,
  before: Partial<CartState>,
  event: CartEvent,
  changes: Partial<CartState>,
  effects: CartEffect[],
];

function check(
  _name: string,
  given: Partial<CartState>,
  event: CartEvent,
  changes: Partial<CartState>,
  effects: CartEffect[],
) {
  const before = { ...emptyCart(MEI), owner: MEI, ...given };
  const copy = structuredClone(before);
  const after = reduce(before, event);
  expect(after.state).toEqual({ ...before, ...changes });
  expect(after.effects).toEqual(effects);
  expect(before).toEqual(copy);
}

const line = (goodsId: number, goodsAmount: number, checked = true) => ({
  ...lineOf(makeProduct(goodsId), goodsAmount),
  checked,
});
/** Makes lines as the server has them: none is checked. */
const server = (...amounts: [goodsId: number, goodsAmount: number][]) =>
  amounts.map(([goodsId, goodsAmount]) => line(goodsId, goodsAmount, false));
const both = (lines: Lines) => ({ lines, confirmed: lines });
const store = (lines: Lines, owner = MEI): CartEffect => ({ type: 'store', snapshot: { owner, lines } });

const stamp = { customer: MEI, generation: 0 };
const OUTDATED = [
  ['for another customer', { customer: LIN }],
  ['after a logout', { customer: '', owner: '' }],
  ['after the cart was cleared', { generation: 1 }],
] as const;

const offline = new ShopError({ code: -1, status: 0, reason: 'network' });
const refusal = new ShopError({ code: 1, status: 200, reason: 'goods_off_shelf' });
const invalidLogin = new ShopError({ code: 1001, status: 200, reason: 'login_invalid' });

describe('the stored cart', () => {
  it.each<Row>([
    [
      'is shown as it is',
      {},
      { type: 'restored', snapshot: { owner: '', lines: [line(1, 2)] } },
      { owner: '', ...both([line(1, 2)]) },
      [],
    ],
    ['may be refused by the browser', {}, { type: 'stored', isStored: false }, { isStored: false }, []],
    [
      'changes with the page',
      both([line(1, 2)]),
      { type: 'linesChanged', lines: [line(1, 3)] },
      { lines: [line(1, 3)] },
      [store([line(1, 3)])],
    ],
  ])('%s', check);
});

describe('a page that is left', () => {
  const unsaved = (unsent: object[], lines?: Lines, owner = MEI) =>
    ({ type: 'keepUnsaved', unsaved: { owner, unsent, lines } }) as CartEffect;
  const lostAt = (at: number) => new Map([[2, { unsent: { goodsId: 2, known: 0, line: line(2, 1) }, at }]]);

  it.each<Row>([
    [
      'keeps nothing of nothing',
      {},
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([]), { type: 'sendNow' }],
    ],
    [
      'keeps pending changes: more units, a new line and a removal',
      { lines: [line(2, 1), line(1, 5)], confirmed: server([1, 2], [3, 4]), unsettled: new Set([1, 2, 3]) },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [
        unsaved([
          { goodsId: 1, known: 2, line: line(1, 5) },
          { goodsId: 2, known: 0, line: line(2, 1) },
          { goodsId: 3, known: 4, line: null },
        ]),
        { type: 'sendNow' },
      ],
    ],
    [
      'keeps what the page before it has kept, with the amount that the server had then',
      {
        lines: [line(1, 5)],
        confirmed: server([1, 5]),
        unsettled: new Set([1]),
        resumed: new Map([[1, { known: 2, wanted: 5 }]]),
      },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([{ goodsId: 1, known: 2, line: line(1, 5) }]), { type: 'sendNow' }],
    ],
    [
      'keeps changes that the browser may have dropped',
      { lost: lostAt(NOW - 999) },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([{ goodsId: 2, known: 0, line: line(2, 1) }]), { type: 'sendNow' }],
    ],
    [
      'keeps no change that failed a second ago',
      { lost: lostAt(NOW - 1000) },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([]), { type: 'sendNow' }],
    ],
    [
      'keeps a change once that was dropped and is pending again',
      { lines: [line(2, 6)], unsettled: new Set([2]), lost: lostAt(NOW - 10) },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([{ goodsId: 2, known: 0, line: line(2, 6) }]), { type: 'sendNow' }],
    ],
    [
      'keeps all lines that the storage has refused',
      { lines: [line(1, 2)], isStored: false },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([], [line(1, 2)]), { type: 'sendNow' }],
    ],
    [
      'keeps no changes of a guest, whose lines are all in the storage',
      { customer: '', owner: '', lines: [line(1, 2)], unsettled: new Set([1]), lost: lostAt(NOW) },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([], undefined, ''), { type: 'sendNow' }],
    ],
    [
      "keeps no changes of a guest's lines that the server does not have yet",
      { owner: '', lines: [line(1, 2)], unsettled: new Set([1]) },
      { type: 'left', now: NOW },
      { isLeaving: true },
      [unsaved([], undefined, ''), { type: 'sendNow' }],
    ],
  ])('%s', check);
});

describe('the next page', () => {
  it.each<Row>([
    [
      'has nothing to continue with',
      { ...both([line(1, 2)]), isLeaving: true },
      { type: 'resumed', unsaved: null },
      { isLeaving: false },
      [],
    ],
    [
      'shows pending changes and compares them after two seconds',
      both([line(1, 2), line(3, 4)]),
      {
        type: 'resumed',
        unsaved: {
          owner: MEI,
          unsent: [
            { goodsId: 1, known: 2, line: line(1, 5) },
            { goodsId: 2, known: 0, line: line(2, 1) },
            { goodsId: 3, known: 4, line: null },
          ],
        },
      },
      {
        lines: [line(2, 1), line(1, 5)],
        resumed: new Map([
          [1, { known: 2, wanted: 5 }],
          [2, { known: 0, wanted: 1 }],
          [3, { known: 4, wanted: 0 }],
        ]),
      },
      [
        store([line(2, 1), line(1, 5)]),
        { type: 'schedule', goodsId: 1, delay: 2000 },
        { type: 'schedule', goodsId: 2, delay: 2000 },
        { type: 'schedule', goodsId: 3, delay: 2000 },
      ],
    ],
    [
      'shows the lines that the storage has refused',
      { customer: '', owner: '', ...both([line(1, 2)]) },
      { type: 'resumed', unsaved: { owner: '', lines: [line(2, 2), line(1, 2)] } },
      { lines: [line(2, 2), line(1, 2)] },
      [store([line(2, 2), line(1, 2)], '')],
    ],
  ])('%s', check);
});

describe('the session', () => {
  const changes = {
    ...both([line(1, 2)]),
    resumed: new Map([[1, { known: 1, wanted: 2 }]]),
    lost: new Map([[1, { unsent: { goodsId: 1, known: 1, line: null }, at: NOW }]]),
    messages: new Map([[1, { type: 'waits' }]]),
  } satisfies Partial<CartState>;
  const NONE = { resumed: new Map(), lost: new Map(), messages: new Map() };

  it.each<Row>([
    [
      "takes a guest's lines along to the login",
      { ...changes, customer: '', owner: '' },
      { type: 'sessionChanged', customer: MEI },
      { customer: MEI },
      [],
    ],
    [
      "ends a customer's changes at the logout",
      changes,
      { type: 'sessionChanged', customer: '' },
      { customer: '', ...NONE },
      [{ type: 'cancelWrites' }, { type: 'restore' }],
    ],
    [
      "ends a customer's changes when another one logs in",
      changes,
      { type: 'sessionChanged', customer: LIN },
      { customer: LIN, ...NONE },
      [{ type: 'cancelWrites' }, { type: 'restore' }],
    ],
    ['changes nothing for the same customer', changes, { type: 'sessionChanged', customer: MEI }, {}, []],
  ])('%s', check);
});

describe('another tab', () => {
  it.each<Row>([
    [
      'brings its amounts and lines, but not its checks',
      both([line(1, 2, true), line(2, 1, false)]),
      {
        type: 'otherTabChanged',
        snapshot: { owner: MEI, lines: [line(3, 1, true), line(1, 7, false), line(2, 7, true)] },
      },
      {
        lines: [line(3, 1, true), line(1, 7, true), line(2, 7, false)],
        confirmed: [line(3, 1, true), line(1, 7, false), line(2, 7, true)],
      },
      [],
    ],
    [
      'changes no line that is still to be written: an amount, a new line and a removal',
      {
        lines: [line(2, 1), line(1, 5), line(4, 1)],
        confirmed: server([1, 2], [3, 6], [4, 1]),
        unsettled: new Set([1, 2, 3]),
      },
      { type: 'otherTabChanged', snapshot: { owner: MEI, lines: server([1, 9], [3, 9], [4, 9]) } },
      {
        lines: [line(2, 1), line(1, 5), line(4, 9)],
        confirmed: server([1, 2], [3, 6], [4, 9]),
      },
      [],
    ],
    [
      "has cleared the customer's cart, which remains theirs",
      both([line(1, 2)]),
      { type: 'otherTabChanged', snapshot: { owner: '', lines: [] } },
      both([]),
      [],
    ],
    [
      "has cleared the guest's cart",
      { customer: '', owner: '', ...both([line(1, 2)]) },
      { type: 'otherTabChanged', snapshot: { owner: '', lines: [] } },
      both([]),
      [],
    ],
    [
      "has sent the guest's lines after a login",
      { owner: '', ...both([line(1, 2)]) },
      { type: 'otherTabChanged', snapshot: { owner: MEI, lines: server([1, 2]) } },
      { owner: MEI, lines: [line(1, 2)], confirmed: server([1, 2]) },
      [],
    ],
  ])('%s', check);
});

describe('a change on the page', () => {
  const messages: CartState['messages'] = new Map([
    [1, { type: 'waits' }],
    [2, { type: 'waits' }],
  ]);
  const rest: CartState['messages'] = new Map([[2, { type: 'waits' }]]);

  it.each<Row>([
    [
      "of a customer's amount is written, and its message goes",
      { messages },
      { type: 'amountChanged', goodsId: 1 },
      { messages: rest },
      [{ type: 'schedule', goodsId: 1 }],
    ],
    [
      "of a guest's amount is not written",
      { customer: '', owner: '', messages },
      { type: 'amountChanged', goodsId: 1 },
      { messages: rest },
      [],
    ],
    [
      'is explained',
      { messages },
      { type: 'explained', goodsId: 1, text: { type: 'error', error: refusal } },
      { messages: new Map([...messages, [1, { type: 'error', error: refusal }]]) },
      [],
    ],
    [
      'is unsettled until the queue has written it',
      {},
      { type: 'queueChanged', unsettled: new Set([1]) },
      { unsettled: new Set([1]) },
      [],
    ],
  ])('%s', check);
});

describe('loading', () => {
  const facts = { memberPrice: 9.9, available: false, checked: false };

  it.each<Row>([
    [
      "fetches a customer's cart",
      {},
      { type: 'loadDue' },
      { isLoading: true },
      [{ type: 'load', customer: MEI }],
    ],
    [
      "fetches the facts of a guest's products",
      { customer: '', owner: '', lines: [line(1, 2)] },
      { type: 'loadDue' },
      {},
      [{ type: 'refresh', lines: [line(1, 2)] }],
    ],
    [
      "gives a guest's lines the facts that arrived",
      { customer: '', owner: '', lines: [line(1, 2), line(2, 1)] },
      { type: 'refreshed', facts: new Map([[1, facts]]) },
      { lines: [{ ...line(1, 2), ...facts }, line(2, 1)] },
      [store([{ ...line(1, 2), ...facts }, line(2, 1)], '')],
    ],
    [
      "fetches a customer's cart after all if the guest has logged in",
      { owner: '', lines: [line(1, 2)] },
      { type: 'refreshed', facts: new Map([[1, facts]]) },
      { lines: [{ ...line(1, 2), ...facts }], isLoading: true },
      [store([{ ...line(1, 2), ...facts }], ''), { type: 'load', customer: MEI }],
    ],
    [
      'ends with the cart of the customer who asked',
      { isLoading: true, customer: LIN },
      { type: 'loaded', customer: MEI },
      { isLoading: false, fetchedFor: MEI },
      [],
    ],
    [
      'ends with the reason of a failure',
      { isLoading: true },
      { type: 'loadFailed', error: offline },
      { isLoading: false, loadError: offline },
      [],
    ],
  ])('%s', check);

  it("sends a guest's lines first, and none of a customer's", () => {
    const lines = [line(1, 2)];
    expect(fetchOf({ ...emptyCart(MEI), lines, generation: 3 })).toEqual({
      guestLines: lines,
      stamp: { customer: MEI, generation: 3 },
    });
    const write = { goodsId: 1, stamp };
    expect(fetchOf({ ...emptyCart(MEI), owner: MEI, lines }, write)).toEqual({
      guestLines: [],
      stamp,
      write,
    });
  });
});

describe("the server's cart", () => {
  const fetched = (list: Lines, guestLines: Lines = [], more: object = {}, removed: number[] = []) =>
    ({
      type: 'fetched',
      guestLines,
      stamp,
      answer: { code: 0, msg: '', result: { list, removed }, ...more },
    }) as Extract<CartEvent, { type: 'fetched' }>;
  const capping = fetched(server([1, 3], [2, 1]), [line(1, 8), line(2, 1)], { reason: 'amount_above_limit' });
  const raising = fetched(server([1, 6]), [line(1, 2)], { reason: 'amount_rounded_up' });

  it.each<Row>([
    [
      'has the order and the facts, the page has the checks',
      { ...both([line(1, 1, true), line(2, 2, false)]), loadError: 'no network' },
      fetched(server([3, 3], [2, 4], [1, 2])),
      {
        lines: [line(3, 3, false), line(2, 4, false), line(1, 2, true)],
        confirmed: [line(3, 3, false), line(2, 4, false), line(1, 2, true)],
        loadError: null,
      },
      [store([line(3, 3, false), line(2, 4, false), line(1, 2, true)])],
    ],
    [
      'changes no line that is still to be written: an amount, a new line and a removal',
      { lines: [line(2, 1), line(1, 5)], confirmed: server([1, 2], [3, 1]), unsettled: new Set([1, 2, 3]) },
      fetched(server([1, 2], [3, 1])),
      { lines: [line(2, 1), line(1, 5)], confirmed: [line(1, 2), line(3, 1, false)] },
      [store([line(2, 1), line(1, 5)])],
    ],
    [
      "takes the guest's lines over with their checks",
      { owner: '', lines: [line(1, 2, true), line(2, 1, false)] },
      fetched(server([1, 2], [2, 1], [3, 5]), [line(1, 2), line(2, 1)]),
      { owner: MEI, ...both([line(1, 2, true), line(2, 1, false), line(3, 5, false)]) },
      [store([line(1, 2, true), line(2, 1, false), line(3, 5, false)])],
    ],
    [
      "does not have another customer's checks, except for a line that was just added",
      { owner: LIN, lines: [line(1, 2), line(2, 1)], unsettled: new Set([2]) },
      fetched(server([1, 2], [2, 4])),
      {
        owner: MEI,
        lines: [line(1, 2, false), line(2, 1, true)],
        confirmed: [line(1, 2, false), line(2, 4, true)],
      },
      [store([line(1, 2, false), line(2, 1, true)])],
    ],
    [
      "has fewer units than the guest's lines",
      { owner: '', lines: [line(1, 8), line(2, 1)] },
      capping,
      { owner: MEI, ...both([line(1, 3), line(2, 1)]) },
      [store([line(1, 3), line(2, 1)]), { type: 'warn', text: { type: 'capped', lines: server([1, 3]) } }],
    ],
    [
      "has more units than the guest's lines",
      { owner: '', lines: [line(1, 2)] },
      raising,
      { owner: MEI, ...both([line(1, 6)]) },
      [store([line(1, 6)]), { type: 'warn', text: { type: 'error', error: raising.answer } }],
    ],
    [
      "lacks products of the guest's lines that are no longer for sale",
      { owner: '', lines: [line(98, 1), line(1, 1)] },
      fetched(server([1, 1]), [line(98, 1), line(1, 1)], {}, [98]),
      { owner: MEI, ...both([line(1, 1)]) },
      [
        store([line(1, 1)]),
        { type: 'addNotice', lines: [line(98, 1)] },
        { type: 'warn', text: { type: 'gone', lines: [line(98, 1)] } },
      ],
    ],
    ...OUTDATED.map(
      ([when, state]): Row => [
        `is ignored ${when}`,
        { ...both([line(1, 2)]), ...state },
        { ...capping, write: { goodsId: 1, stamp } },
        {},
        [],
      ],
    ),
  ])('%s', check);

  it('is followed by the write that waited for it', () => {
    check(
      '',
      { owner: '', lines: [line(1, 3)], unsettled: new Set([1]) },
      { ...fetched(server([1, 2]), [line(1, 2)]), write: { goodsId: 1, stamp } },
      { owner: MEI, lines: [line(1, 3)], confirmed: [line(1, 2)], sent: new Map([[1, 3]]) },
      [
        store([line(1, 3)]),
        { type: 'send', goodsId: 1, stamp, method: 'PUT', body: { goodsId: 1, goodsAmount: 3, before: 2 } },
      ],
    );
  });

  describe('and a change of the last page', () => {
    const resuming = { known: 2, wanted: 5 };
    const before: Partial<CartState> = {
      lines: [line(1, 5)],
      confirmed: server([1, 2]),
      unsettled: new Set([1]),
      resumed: new Map([[1, resuming]]),
      messages: new Map([[1, { type: 'waits' }]]),
    };
    const settled = { resumed: new Map(), messages: new Map() };
    const compared = (list: Lines): CartEvent => ({
      ...fetched(list),
      write: { goodsId: 1, stamp, resuming },
    });

    it.each<Row>([
      [
        'which it does not have: it is sent',
        before,
        compared(server([1, 2])),
        { ...settled, lines: [line(1, 5)], confirmed: [line(1, 2)], sent: new Map([[1, 5]]) },
        [
          store([line(1, 5)]),
          { type: 'send', goodsId: 1, stamp, method: 'PUT', body: { goodsId: 1, goodsAmount: 5, before: 2 } },
        ],
      ],
      [
        'which it has by now: nothing is sent',
        before,
        compared(server([1, 5])),
        { ...settled, ...both([line(1, 5)]) },
        [store([line(1, 5)]), store([line(1, 5)])],
      ],
      [
        'and another one of another device: that one is shown',
        before,
        compared(server([1, 9])),
        { ...settled, ...both([line(1, 9)]) },
        [store([line(1, 5)]), store([line(1, 9)])],
      ],
      [
        'and another one of another device, but the customer has changed it again: it is sent',
        { ...before, lines: [line(1, 6)] },
        compared(server([1, 9])),
        { ...settled, lines: [line(1, 6)], confirmed: [line(1, 9)], sent: new Map([[1, 6]]) },
        [
          store([line(1, 6)]),
          { type: 'send', goodsId: 1, stamp, method: 'PUT', body: { goodsId: 1, goodsAmount: 6, before: 9 } },
        ],
      ],
      [
        'that added a line: it is set instead, as it may arrive after all',
        { ...before, confirmed: [], resumed: new Map([[1, { known: 0, wanted: 5 }]]) },
        { ...fetched([]), write: { goodsId: 1, stamp, resuming: { known: 0, wanted: 5 } } },
        { ...settled, lines: [line(1, 5)], confirmed: [], sent: new Map([[1, 5]]) },
        [
          store([line(1, 5)]),
          { type: 'send', goodsId: 1, stamp, method: 'PUT', body: { goodsId: 1, goodsAmount: 5, before: 0 } },
        ],
      ],
    ])('%s', check);
  });
});

describe('a write', () => {
  const due: CartEvent = { type: 'writeDue', goodsId: 1 };
  const send = (method: 'POST' | 'PUT', body: object) =>
    ({ type: 'send', goodsId: 1, stamp, method, body: { goodsId: 1, ...body } }) as CartEffect;
  const sent = (amount: number) => ({ sent: new Map([[1, amount]]) });

  it.each<Row>([
    [
      'adds a line below the one above it',
      { lines: [line(2, 1), line(1, 3)], confirmed: server([2, 1]) },
      due,
      sent(3),
      [send('POST', { goodsAmount: 3, before: 0, after: 2 })],
    ],
    [
      'adds the first line',
      { lines: [line(1, 3), line(2, 1)], confirmed: server([2, 1]) },
      due,
      sent(3),
      [send('POST', { goodsAmount: 3, before: 0 })],
    ],
    [
      'sets an amount',
      { lines: [line(2, 1), line(1, 3)], confirmed: server([2, 1], [1, 4]) },
      due,
      sent(3),
      [send('PUT', { goodsAmount: 3, before: 4 })],
    ],
    [
      'removes a line',
      { confirmed: server([1, 4]) },
      due,
      sent(0),
      [{ type: 'send', goodsId: 1, stamp, method: 'DELETE' }],
    ],
    ['sends no amount that the server has', both([line(1, 4)]), due, {}, []],
    [
      'sends no amount that a request under way has',
      { lines: [line(1, 4)], confirmed: server([1, 2]), ...sent(4) },
      due,
      {},
      [],
    ],
    [
      'adds to an addition under way',
      { lines: [line(1, 5)], ...sent(3) },
      due,
      sent(5),
      [send('POST', { goodsAmount: 2, before: 3 })],
    ],
    [
      'sets fewer than an addition under way',
      { lines: [line(1, 2)], ...sent(3) },
      due,
      sent(2),
      [send('PUT', { goodsAmount: 2, before: 3 })],
    ],
    [
      'removes the line of an addition under way',
      sent(3),
      due,
      sent(0),
      [{ type: 'send', goodsId: 1, stamp, method: 'DELETE' }],
    ],
    [
      "fetches the cart first while the server may not have a guest's lines",
      { owner: '', lines: [line(1, 3)] },
      due,
      {},
      [{ type: 'fetch', write: { goodsId: 1, stamp } }],
    ],
    [
      'fetches the cart first to compare a change of the last page',
      { lines: [line(1, 3)], resumed: new Map([[1, { known: 2, wanted: 3 }]]) },
      due,
      {},
      [{ type: 'fetch', write: { goodsId: 1, stamp, resuming: { known: 2, wanted: 3 } } }],
    ],
    [
      'leaves a change of the last page to the next one',
      { isLeaving: true, lines: [line(1, 3)], resumed: new Map([[1, { known: 2, wanted: 3 }]]) },
      due,
      {},
      [],
    ],
    [
      'repeats a change that met no network',
      {
        lines: [line(1, 3)],
        lost: new Map([[1, { unsent: { goodsId: 1, known: 0, line: line(1, 1) }, at: NOW }]]),
      },
      due,
      { lost: new Map(), ...sent(3) },
      [send('POST', { goodsAmount: 3, before: 0 })],
    ],
    [
      'is repeated for every waiting change when the network is back',
      {
        resumed: new Map([
          [1, { known: 2, wanted: 3 }],
          [2, { known: 0, wanted: 1 }],
        ]),
      },
      { type: 'networkReturned' },
      {},
      [
        { type: 'schedule', goodsId: 1, delay: 0 },
        { type: 'schedule', goodsId: 2, delay: 0 },
      ],
    ],
    [
      'is over with its request',
      {
        sent: new Map([
          [1, 3],
          [2, 1],
        ]),
      },
      { type: 'sendingEnded', goodsId: 1 },
      { sent: new Map([[2, 1]]) },
      [],
    ],
  ])('%s', check);
});

describe('the answer to a write', () => {
  const answered = (list: Lines, more: object = {}, isDirty = false) =>
    ({
      type: 'answered',
      goodsId: 1,
      stamp,
      isDirty,
      answer: { code: 0, msg: '', result: { list }, ...more },
    }) as Extract<CartEvent, { type: 'answered' }>;
  const changed = { lines: [line(1, 5)], confirmed: server([1, 2]), unsettled: new Set([1]) };
  const capping = answered(server([1, 3]), { reason: 'amount_above_limit' });
  const raising = answered(server([1, 6]), { reason: 'amount_rounded_up' });
  const emptying = answered([], { reason: 'amount_above_limit' });

  it.each<Row>([
    [
      'confirms the amount and brings changes of another device',
      changed,
      answered(server([2, 1], [1, 5])),
      both([line(2, 1, false), line(1, 5)]),
      [store([line(2, 1, false), line(1, 5)])],
    ],
    [
      'changes nothing of a line that the customer has changed again',
      changed,
      answered(server([1, 4]), {}, true),
      { lines: [line(1, 5)], confirmed: [line(1, 4)] },
      [store([line(1, 5)])],
    ],
    [
      'shows that fewer units can be bought',
      changed,
      capping,
      { ...both([line(1, 3)]), messages: new Map([[1, { type: 'most', line: line(1, 3) }]]) },
      [
        store([line(1, 3)]),
        { type: 'dismiss', goodsId: 1 },
        { type: 'warn', text: { type: 'capped', lines: [line(1, 3)] } },
      ],
    ],
    [
      'shows that the amount was raised',
      changed,
      raising,
      { ...both([line(1, 6)]), messages: new Map([[1, { type: 'error', error: raising.answer }]]) },
      [
        store([line(1, 6)]),
        { type: 'dismiss', goodsId: 1 },
        { type: 'warn', text: { type: 'error', error: raising.answer } },
      ],
    ],
    [
      'shows its reason where the line is gone',
      changed,
      emptying,
      { ...both([]), messages: new Map([[1, { type: 'error', error: emptying.answer }]]) },
      [
        store([]),
        { type: 'dismiss', goodsId: 1 },
        { type: 'warn', text: { type: 'error', error: emptying.answer } },
      ],
    ],
    ...OUTDATED.map(
      ([when, state]): Row => [`is ignored ${when}`, { ...changed, ...state }, capping, {}, []],
    ),
  ])('%s', check);
});

describe('a write that fails', () => {
  const failed = (error: unknown, isOnline = true): CartEvent => ({
    type: 'writeFailed',
    goodsId: 1,
    error,
    isOnline,
    now: NOW,
  });
  const changed = { lines: [line(2, 1), line(1, 5)], confirmed: server([2, 1], [1, 2]) };
  const rolledBack = [line(2, 1), line(1, 2)];
  const notSaved = (error: unknown): CartState['messages'] => new Map([[1, { type: 'notSaved', error }]]);
  const dismiss: CartEffect = { type: 'dismiss', goodsId: 1 };
  const waits: CartState['messages'] = new Map([[1, { type: 'waits' }]]);

  it.each<Row>([
    [
      'without a network waits for it, and shows that',
      changed,
      failed(offline, false),
      { resumed: new Map([[1, { known: 2, wanted: 5 }]]), messages: waits },
      [
        { type: 'warn', text: { type: 'waits' } },
        { type: 'schedule', goodsId: 1, delay: 30_000 },
      ],
    ],
    [
      'without a network again keeps the amount that the server had',
      {
        ...changed,
        confirmed: server([1, 4]),
        resumed: new Map([[1, { known: 2, wanted: 3 }]]),
        messages: waits,
      },
      failed(offline, false),
      { resumed: new Map([[1, { known: 2, wanted: 5 }]]) },
      [{ type: 'schedule', goodsId: 1, delay: 30_000 }],
    ],
    [
      'on its way is rolled back, and kept in case the page is being left',
      changed,
      failed(offline),
      {
        lines: rolledBack,
        messages: notSaved(offline),
        lost: new Map([[1, { unsent: { goodsId: 1, known: 2, line: line(1, 5) }, at: NOW }]]),
      },
      [store(rolledBack), dismiss, { type: 'showError', error: offline }],
    ],
    [
      'because the shop refuses it is rolled back',
      changed,
      failed(refusal),
      { lines: rolledBack, messages: notSaved(refusal) },
      [store(rolledBack), dismiss, { type: 'showError', error: refusal }],
    ],
    [
      'because the shop refuses it does not wait for a network',
      changed,
      failed(refusal, false),
      { lines: rolledBack, messages: notSaved(refusal) },
      [store(rolledBack), dismiss, { type: 'showError', error: refusal }],
    ],
    [
      'because the login is invalid is rolled back, and a dialog shows why',
      changed,
      failed(invalidLogin),
      { lines: rolledBack, messages: notSaved(invalidLogin) },
      [store(rolledBack), dismiss],
    ],
    [
      'removes the line that it should have added, with its message',
      { lines: [line(1, 1), line(2, 1)], confirmed: server([2, 1]), messages: waits },
      failed(refusal),
      { lines: [line(2, 1)], messages: new Map() },
      [store([line(2, 1)]), dismiss, { type: 'showError', error: refusal }],
    ],
    [
      'brings back the line that it should have removed',
      { lines: [line(2, 1)], confirmed: [line(2, 1), line(1, 2)] },
      failed(refusal),
      { lines: [line(1, 2), line(2, 1)], messages: notSaved(refusal) },
      [store([line(1, 2), line(2, 1)]), dismiss, { type: 'showError', error: refusal }],
    ],
    ['is left to the next page', { ...changed, isLeaving: true }, failed(offline), {}, []],
  ])('%s', check);
});

describe('clearing', () => {
  const unavailable = { ...line(3, 1), available: false };
  const lines = [line(1, 5, true), line(2, 1, false), unavailable];
  const confirmed = server([1, 2], [2, 1], [3, 1]);
  const backup = { customer: MEI, confirmed, checked: [1] };
  const failed: CartEvent = { type: 'clearFailed', ...backup };

  it.each<Row>([
    [
      "empties a customer's cart here and on the server",
      {
        lines,
        confirmed,
        messages: new Map([[1, { type: 'waits' }]]),
        resumed: new Map([[1, { known: 2, wanted: 5 }]]),
        lost: new Map([[1, { unsent: { goodsId: 1, known: 2, line: null }, at: NOW }]]),
        sent: new Map([[1, 5]]),
        generation: 1,
      },
      { type: 'clearDue' },
      {
        ...both([]),
        messages: new Map(),
        resumed: new Map(),
        lost: new Map(),
        generation: 2,
      },
      [{ type: 'cancelWrites' }, { type: 'removeStored' }, { type: 'clear', ...backup }],
    ],
    [
      "empties a guest's cart here only",
      { customer: '', owner: '', ...both(lines) },
      { type: 'clearDue' },
      { ...both([]), generation: 1 },
      [{ type: 'cancelWrites' }, { type: 'removeStored' }],
    ],
    [
      'that fails brings the lines of the server back, with their checks',
      { generation: 1 },
      failed,
      { lines: [line(1, 2, true), line(2, 1, false), line(3, 1, false)], confirmed },
      [store([line(1, 2, true), line(2, 1, false), line(3, 1, false)])],
    ],
    [
      'that fails does not change a line that was added since',
      { lines: [line(1, 7)], generation: 1 },
      failed,
      {
        lines: [line(1, 7), line(2, 1, false), line(3, 1, false)],
        confirmed: server([2, 1], [3, 1]),
      },
      [store([line(1, 7), line(2, 1, false), line(3, 1, false)])],
    ],
    [
      "that fails brings nothing into the next customer's cart",
      { customer: LIN, owner: LIN, generation: 1 },
      failed,
      {},
      [],
    ],
  ])('%s', check);
});

describe('an order', () => {
  it.each<Row>([
    [
      'takes its ticked lines out immediately, and no others',
      { lines: [line(1, 5), line(2, 1, false), line(3, 1)], confirmed: server([1, 5], [2, 1], [3, 1]) },
      { type: 'ordered', goodsIds: [1, 2] },
      { lines: [line(2, 1, false), line(3, 1)], confirmed: server([2, 1], [3, 1]), generation: 1 },
      [store([line(2, 1, false), line(3, 1)])],
    ],
    [
      'asks for the cart again where an answer under way may have its lines',
      { ...both([line(1, 5)]), isLoading: true },
      { type: 'ordered', goodsIds: [1] },
      { ...both([]), isLoading: true, generation: 1 },
      [store([]), { type: 'load', customer: MEI }],
    ],
    [
      'of products that are in another cart changes nothing',
      both([line(1, 5)]),
      { type: 'ordered', goodsIds: [4] },
      {},
      [],
    ],
  ])('%s', check);
});
