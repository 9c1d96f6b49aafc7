/*
 * The products in a customer's default list, as this browser knows them (docs/product.md#favourites), so that a page
 * shows them before it has asked. They are loaded when a visit begins, and change with the heart.
 */
import { call } from '../api/client';
import type { ShopError } from '../api/errors';
import type { FavouriteIds } from '../api/types';
import { account } from './session';
import { read, remove, write } from './storage';

/** The badge reads this key, and listens for this event. */
const FAVOURITES = 'favourites';
const CHANGED = 'shop:favourites';
/** What a guest wanted to mark before they logged in. */
const WANTED = 'favourite-wanted';
const WANTED_FOR_MS = 30 * 60_000;

interface Wanted {
  goodsId: number;
  at: number;
}

/** Gives the ids of the products in the default list, newest first. */
export function favourites(): number[] {
  return read<number[]>(localStorage, FAVOURITES) ?? [];
}

function keep(ids: number[]): void {
  write(localStorage, FAVOURITES, ids);
  document.dispatchEvent(new Event(CHANGED));
}

/** Keeps what a guest wanted to mark until they have logged in, for half an hour. */
export function wantFavourite(goodsId: number): void {
  write(sessionStorage, WANTED, { goodsId, at: Date.now() } satisfies Wanted);
}

/** Takes the product that a guest wanted to mark; 0 where there is none, or it was too long ago. */
export function takeWanted(): number {
  const wanted = read<Wanted>(sessionStorage, WANTED);
  remove(sessionStorage, WANTED);
  return wanted && Date.now() - wanted.at <= WANTED_FOR_MS ? wanted.goodsId : 0;
}

/** Fetches what is in the default list; does nothing where a later call does so. Raises ShopError. */
export async function loadFavourites(): Promise<void> {
  const asking = account.value;
  try {
    const { goodsIds } = await call<FavouriteIds>('GET', '/pc/favourites/goodsIds');
    if (account.value === asking) keep(goodsIds);
  } catch (error) {
    // A page of favourites and the start of a visit may both ask.
    if ((error as Partial<ShopError>).reason !== 'duplicate') throw error;
  }
}

/** Puts a product into a list, by default the one without a name. Raises ShopError. */
export async function mark(goodsId: number, listId = 0): Promise<void> {
  const asking = account.value;
  await call('POST', `/pc/favourites/${listId}/goods`, { goodsId });
  if (listId === 0 && account.value === asking) keep([goodsId, ...others(goodsId)]);
}

/** Takes a product out of a list, by default the one without a name. Raises ShopError. */
export async function unmark(goodsId: number, listId = 0): Promise<void> {
  const asking = account.value;
  await call('DELETE', `/pc/favourites/${listId}/goods/${goodsId}`);
  if (listId === 0 && account.value === asking) keep(others(goodsId));
}

function others(goodsId: number): number[] {
  return favourites().filter((id) => id !== goodsId);
}
