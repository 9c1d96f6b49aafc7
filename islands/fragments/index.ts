/* Shows parts of pages that the server renders alone, where a link asks for them. */
import { listenForCategories } from './category-menu';
import { listenForSizes } from './sizes';

/** Listens for the page's links to sizes and to the menu of categories. */
export default async function start(): Promise<void> {
  listenForCategories();
  await listenForSizes();
}
