/* What every page does for its reader from the first thing that they do: until then no script is loaded for it. */
import { cleanInputs } from './clean-inputs';
import { followLanguage } from './language';
import { keepScroll } from './scroll';

/**
 * Cleans what is typed, keeps the page's place, and follows the language of other tabs, with the arguments of
 * `followLanguage`.
 */
export function begin(language: string | null, hasTyped: boolean): void {
  cleanInputs();
  keepScroll();
  followLanguage(language, hasTyped);
}
