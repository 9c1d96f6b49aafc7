/** The id of the field of a place's form that takes the place within the country. */
export const PLACE_ID = 'place';
