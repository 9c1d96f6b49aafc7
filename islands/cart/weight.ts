/** Writes a net weight given in grams: 500 g, 1.5 kg; empty without one. */
export function formatWeight(grams: number): string {
  if (!grams) return '';
  return grams < 1000 ? `${grams} g` : `${Number((grams / 1000).toFixed(2))} kg`;
}
