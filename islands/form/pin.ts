/** Shows whether a text has the form of a pay password: exactly six digits (docs/product.md#forms). */
export const isPin = (text: string): boolean => /^\d{6}$/.test(text);
