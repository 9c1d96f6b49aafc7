/** The symbols of static/img/icons.svg that islands draw; a test compares them with that file. */
export const ICONS = [
  'arrow-left',
  'check',
  'chevron-down',
  'chevron-right',
  'circle-alert',
  'circle-check',
  'eye',
  'eye-off',
  'gift',
  'heart',
  'info',
  'lock',
  'log-out',
  'map-pin',
  'minus',
  'plus',
  'receipt-text',
  'share-2',
  'shield-check',
  'shopping-cart',
  'sliders-horizontal',
  'store',
  'timer',
  'trash-2',
  'triangle-alert',
  'truck',
  'upload',
  'user-round',
  'wallet',
  'x',
] as const;

export type IconName = (typeof ICONS)[number];

/** Gives the URL of a symbol; the page's root element names the sprite. */
export function symbol(name: IconName): string {
  return `${document.documentElement.dataset.sprite ?? ''}#${name}`;
}
