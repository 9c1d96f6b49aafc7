/*
 * Fetches the cards of a part far down the page once the reader comes near.
 *   [data-cards]   where they go; it has their height before they are there
 */
import { showCards } from '../cards';
import { whenNear } from '../near';

interface Props {
  /** The products, in their order. */
  ids: number[];
}

/** Shows the cards once the reader is near; after a failure, once the network is back. */
export default function mount(element: HTMLElement, { ids }: Props): void {
  const grid = element.querySelector<HTMLElement>('[data-cards]');
  if (!grid) return;
  const show = () =>
    showCards(grid, ids).then(
      () => grid.removeAttribute('data-cards'),
      (error) => {
        console.warn(error);
        addEventListener('online', show, { once: true });
      },
    );
  void whenNear([grid], '800px').then(show);
}
