import type { ShopError } from '../api/errors';
import { catalogueText, errorText, t } from '../i18n';

/** The most characters of a list's name and of a shared page's title. */
export const MAX_NAME = 60;

/** Gives what a list is called; the default list has no name of its own. */
export function listName(name: string): string {
  return name || t('favourites.title');
}

/** Gives why a name of a list was refused, for its field. */
export function nameError(error: unknown): string {
  const key = (error as Partial<ShopError>).fields?.name;
  if (key === 'parameter_error') return t('favourites.nameMissing');
  return (key && catalogueText(key)) || errorText(error);
}
