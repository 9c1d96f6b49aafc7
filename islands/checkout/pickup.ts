/* The ids of the controls for a pick-up, to which errors link. */
export const FIRST_SHOP_ID = 'first-shop';
export const TIME_ID = 'pickup-time';
