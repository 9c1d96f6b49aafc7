/* The ids of the controls for an hour or a window, to which errors link. */
export const FIRST_SHOP_ID = 'first-shop';
export const TIME_ID = 'pickup-time';
export const WINDOW_ID = 'delivery-window';
