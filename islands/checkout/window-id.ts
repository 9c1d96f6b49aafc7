/* The id of the van's windows, to which errors link. */
export const WINDOW_ID = 'delivery-window';
