import { ShopError } from '../api/errors';
import { catalogueText, errorText } from '../i18n';
import type { FormError } from './ErrorSummary';

/** Keys of the error catalogue that do not explain what is wrong with a field. */
const VAGUE: ReadonlySet<string> = new Set(['parameter_error', 'address_error']);

/**
 * Turns a refusal of the server into errors of a form.
 *
 * `controlOf` maps a field of the request, or a key of the error catalogue, to the id of its control;
 * `textOf` has the text for a field whose key is vague.
 */
export function serverErrors(
  error: unknown,
  controlOf: Readonly<Record<string, string>>,
  textOf: Readonly<Record<string, string>> = {},
): FormError[] {
  if (!(error instanceof ShopError)) return [{ text: errorText(error) }];
  const named = Object.entries(error.fields).map(([field, key]) => ({
    id: controlOf[field],
    text: (VAGUE.has(key) && textOf[field]) || catalogueText(key) || errorText(error),
  }));
  return named.length ? named : [{ id: controlOf[error.reason], text: errorText(error) }];
}
