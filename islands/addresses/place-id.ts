/** The id of the field of a place's form that says where in the country. */
export const PLACE_ID = 'place';
