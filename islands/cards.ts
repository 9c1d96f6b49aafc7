import { paint } from './badge';
import { pageUrl } from './lang';

/** Fills a grid or row with the cards of products, as the server renders them; gives whether there are any. */
export async function showCards(place: HTMLElement, ids: readonly number[]): Promise<boolean> {
  const response = await fetch(pageUrl(`/shop/cards?ids=${ids.join(',')}`));
  if (!response.ok) throw new Error(`${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  place.replaceChildren(...[...page.body.children].map((card) => document.importNode(card, true)));
  paint();
  return place.children.length > 0;
}
