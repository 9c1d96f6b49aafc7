/* Recognises PO boxes and parcel lockers (docs/freight.md#po-boxes); commerce/delivery/boxes.py has the same rule. */
const BOX =
  /\b(?:g\.?\s*)?p\.?\s*o\.?\s*box\b|\bpost\s*office\s*box\b|\b(?:locked|private)\s*bag\b|\bparcel\s*(?:locker|collect)\b|邮政信箱|郵政信箱|智能柜|快递柜/i;

/** Shows whether the street line of an address names a PO box, a locked bag or a parcel locker. */
export const isPoBox = (detail: string): boolean => BOX.test(detail);
