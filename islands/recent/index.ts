/*
 * Notes which product's page is seen, and shows those seen before as a row of cards, which the server renders, once
 * the reader comes near. The row has its height before its cards are there, so nothing moves.
 *   [data-recent]         the section, hidden while there is nothing to show
 *   [data-recent-cards]   where the cards go
 *   [data-recent-clear]   the button that forgets them
 */
import { showCards } from '../cards';
import { whenNear } from '../near';
import { forgetSeen, noteSeen, recentProducts } from '../stores/recent';

interface Props {
  /** The product whose page this is. */
  goods: number;
}

/** Notes the page's product, and shows the others once the reader is near. */
export default async function mount(element: HTMLElement, { goods }: Props): Promise<void> {
  const others = recentProducts().filter((id) => id !== goods);
  noteSeen(goods);
  const section = element.querySelector<HTMLElement>('[data-recent]');
  const row = element.querySelector<HTMLElement>('[data-recent-cards]');
  if (!section || !row || others.length === 0) return;
  section.hidden = false;
  section.querySelector('[data-recent-clear]')?.addEventListener('click', () => {
    forgetSeen();
    section.hidden = true;
    // The button that had the focus is gone.
    const heading = document.querySelector('h1');
    if (heading) heading.tabIndex = -1;
    heading?.focus({ preventScroll: true });
  });
  void whenNear([section], '400px')
    .then(() => showCards(row, others))
    .catch((error) => {
      console.warn(error);
      return false;
    })
    .then((isShown) => {
      section.hidden ||= !isShown;
    });
}
