import { ShopError } from '../api/errors';
import { catalogueText, errorText } from '../i18n';
import type { FormError } from './ErrorSummary';

/** Keys of the catalogue that say no more than that a field is wrong. */
const VAGUE: ReadonlySet<string> = new Set(['parameter_error', 'address_error']);

/**
 * Tells a form what the server has refused.
 *
 * `controlOf` leads from a field of the request, or a reason of the catalogue, to the id of the control to mend;
 * `textOf` says how to mend a field whose key is a vague one.
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
